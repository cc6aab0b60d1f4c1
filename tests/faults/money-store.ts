/**
 * Where a money world's file is. One with two processes, or a restore, has a file of its own; the
 * others share one connection, whose history is rolled back: opening and copying takes longer than
 * many histories.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { forgetPowerCuts } from "#tests/support/fresh-db.ts";

export interface Store {
  /** Null where nothing is committed. */
  folder: string | null;
  /** For the nth life of a process, under a path that no other life has. */
  open(process: string, life: number): OpenDb;
  close(db: OpenDb): void;
  /** Nothing of it is left. */
  end(): void;
}

export interface Stores {
  ofFile(): Store;
  ofOneProcess(): Store;
  close(): void;
}

export async function openStores(): Promise<Stores> {
  const home = mkdtempSync(join(tmpdir(), "money-template-"));
  const template = join(home, "template.db");
  const empty = openDb(template);
  await migrate(empty);
  empty.driver.pragma("journal_mode = DELETE");
  empty.close();
  copyFileSync(template, join(home, "shared.db"));
  const shared = openDb(join(home, "shared.db"));
  forgetPowerCuts(shared);
  let lives = 0;
  return {
    ofFile: () => fileStore(template),
    ofOneProcess() {
      shared.driver.exec("BEGIN");
      return {
        folder: null,
        open() {
          lives += 1;
          // What the program keeps in memory by path must not outlive a process.
          return Object.assign(shared, { path: `shared ${lives}` });
        },
        close() {},
        end: () => void shared.driver.exec("ROLLBACK"),
      };
    },
    close() {
      shared.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function fileStore(template: string): Store {
  const folder = mkdtempSync(join(tmpdir(), "money-"));
  copyFileSync(template, join(folder, "world.db"));
  return {
    folder,
    open(process, life) {
      const db = openDb(`${folder}/${"./".repeat(life)}${process === "A" ? "" : ".//"}world.db`);
      forgetPowerCuts(db);
      return db;
    },
    close: (db) => db.close(),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
