import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runScheduledBackup } from "#app/jobs/backups.server.ts";
import { DAY } from "#app/model/duration.ts";
import { scratchFolder, sharedDeps } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

quickCopies();
const folder = scratchFolder();
const test = sharedDeps({ BACKUP_DIR: join(folder, "backups"), BACKUP_KEEP: "3" });

it("what a restore replaced goes when a copy of its age would", async () => {
  const { deps, clock } = test;
  const env = { ...deps.env, databasePath: join(folder, "bookings.db") };
  const ages = [1, 2.9, 3.1, 40].map((days) => `bookings.db.replaced-${clock.now - days * DAY}`);
  for (const name of [...ages, "bookings.db", "other.db.replaced-1"]) {
    writeFileSync(join(folder, name), "x");
  }
  await runScheduledBackup({ ...deps, env });
  const left = readdirSync(folder).filter((name) => name !== "backups");
  expect(left.sort()).toEqual(["bookings.db", ...ages.slice(0, 2), "other.db.replaced-1"].sort());
});
