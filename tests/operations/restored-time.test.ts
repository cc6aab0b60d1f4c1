/** When a copy that is put back was made: its name says so, else what stands in it, never the file's own time. */
import { copyFileSync, readdirSync, renameSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { readRestored } from "#app/documents/issue.server.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { READ_ORDERS_SINCE_SETTING, restoreBackup } from "#db/restore.server.ts";
import { scratchFolder, shared } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { openTill } from "#tests/support/till.ts";

const MADE_AT = Date.UTC(2026, 10, 20, 9, 30, 15);
const NOW = MADE_AT + 2 * DAY;

quickCopies();
const scratch = scratchFolder();
const till = shared(openTill, (made) => made.close());
let copy: string;
beforeAll(async () => {
  till.clock.now = MADE_AT - 3 * HOUR;
  till.book();
  copy = (await makeBackup(till.deps.db, { folder: scratch, keep: 9, now: MADE_AT })).path;
});

/** The copy under a name, as sftp brings it: its time of change is that of the fetching. */
async function restored(name: string, takenAt?: number) {
  const source = join(scratch, name);
  if (source !== copy) copyFileSync(copy, source);
  utimesSync(source, NOW / 1000, NOW / 1000);
  const target = join(scratch, `of-${name}`);
  await restoreBackup(source, target, NOW, scratch, takenAt);
  const db = openDb(target);
  try {
    const since = Number(readSetting(db, READ_ORDERS_SINCE_SETTING));
    return { takenAt: readRestored(db)!.takenAt, since };
  } finally {
    db.close();
  }
}

it("is what its name says, also for the second copy of a second", async () => {
  const [name] = readdirSync(scratch).filter((one) => one.startsWith("bookings-"));
  expect(name).toBe("bookings-20261120T093015Z.db");
  // A link lives seven days and its order is watched for five more.
  const expected = { takenAt: MADE_AT, since: MADE_AT - 12 * DAY };
  expect(await restored(name!)).toEqual(expected);
  expect(await restored("bookings-20261120T093015Z-2.db")).toEqual(expected);
});

it("nothing is replaced under an app that was started while the copy was prepared", async () => {
  const target = join(scratch, "started.db");
  await restoreBackup(copy, target, NOW, scratch);
  const restoring = restoreBackup(copy, target, NOW, scratch);
  const app = openDb(target);
  app.driver.pragma("journal_mode = WAL");
  writeSetting(app, "booked", "meanwhile");
  await expect(restoring).rejects.toThrow("The app is running on this database.");
  expect(readSetting(app, "booked")).toBe("meanwhile");
  app.close();
});

it("each goes on in a series of its own, however often one is put back on a day", async () => {
  const target = join(scratch, "again.db");
  const letters: string[] = [];
  for (let time = 0; time < 4; time++) {
    letters.push((await restoreBackup(copy, target, NOW, scratch)).seriesLetter);
  }
  expect(new Set(letters).size).toBe(4);
});

it("is the newest instant in it under another name, and never after now", async () => {
  expect((await restored("copy.db")).takenAt).toBe(MADE_AT - 3 * HOUR);
  till.clock.now = NOW + DAY;
  till.book();
  const { path } = await makeBackup(till.deps.db, { folder: scratch, keep: 9, now: NOW + DAY });
  copy = join(scratch, "of-a-clock-ahead.db");
  renameSync(path, copy);
  expect((await restored("of-a-clock-ahead.db")).takenAt).toBe(NOW);
});

it("is what the caller knows of one that came from the store", async () => {
  expect((await restored("fetched.db", MADE_AT + HOUR)).takenAt).toBe(MADE_AT + HOUR);
});

it("is put back where there is no folder for it yet, as after a fresh clone", async () => {
  const target = join(scratch, "fresh", "data", "bookings.db");
  await restoreBackup(copy, target, NOW, scratch);
  expect(readdirSync(dirname(target))).toEqual(["bookings.db"]);
});
