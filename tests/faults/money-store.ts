/** Where a money world's file is, and how its processes open it. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, openDb } from "#db/connection.server.ts";
import { forgetPowerCuts } from "#tests/support/fresh-db.ts";

export type Store = ReturnType<typeof newStore>;

/** An empty file of which each world has a copy. */
export async function makeTemplate(): Promise<string> {
  const template = join(mkdtempSync(join(tmpdir(), "money-template-")), "template.db");
  const empty = openDb(template);
  await migrate(empty);
  empty.driver.pragma("journal_mode = DELETE");
  empty.close();
  return template;
}

export function newStore(template: string) {
  const folder = mkdtempSync(join(tmpdir(), "money-"));
  copyFileSync(template, join(folder, "world.db"));
  return {
    folder,
    /** What the program keeps in memory by path must not outlive a process: each life has one of its own. */
    open(process: string, life: number) {
      const db = openDb(`${folder}/${"./".repeat(life)}${process === "A" ? "" : ".//"}world.db`);
      forgetPowerCuts(db);
      return db;
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
