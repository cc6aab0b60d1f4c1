/** A backup of a large file, made while the app works on. */
import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { scratchFolder, sharedDeps } from "#tests/support/hooks.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { slowness } from "#tests/support/slowness.ts";

const COUNT = 100_000;
/** Milliseconds of this thread's own time between two turns of its loop, on a machine as fast as ours. */
const LONGEST_TURN = 60;

const test = sharedDeps();
const folder = scratchFolder();

/** Writes at every turn of the loop until `isOver`; answers the turns and the longest, in ms. */
async function work(isOver: () => boolean): Promise<{ turns: number; longest: number }> {
  const { db } = test.deps;
  let longest = 0;
  let turns = 0;
  let last = process.threadCpuUsage();
  while (!isOver()) {
    await new Promise((resolve) => setImmediate(resolve));
    const spent = process.threadCpuUsage(last);
    longest = Math.max(longest, (spent.user + spent.system) / 1000);
    last = process.threadCpuUsage();
    turns += 1;
    if (turns % 20 === 0) {
      db.runRaw("INSERT OR REPLACE INTO setting (key, value) VALUES ('turn', ?)", [String(turns)]);
    }
  }
  return { turns, longest };
}

it("holds no request up, and counts only when it is whole", { timeout: 120_000 }, async () => {
  insertManyAppointments(test.deps.db, COUNT);
  const limit = LONGEST_TURN * slowness(test.deps.db);
  let over = false;
  const working = work(() => over);
  const backup = await makeBackup(test.deps.db, { folder, keep: 1, now: Date.now() });
  over = true;
  const { turns, longest } = await working;
  const megabytes = Math.round(statSync(backup.path).size / 2 ** 20);
  console.log(
    `${megabytes} MB in ${backup.ms} ms; ${turns} turns meanwhile, the longest took ${longest.toFixed(1)} ms`,
  );
  expect(longest).toBeLessThan(limit);
  expect(turns).toBeGreaterThan(50);
  const copy = openDb(backup.path, { readonly: true });
  expect(copy.driver.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(copy.firstRaw("SELECT count(*) AS n FROM appointment")).toEqual({ n: COUNT });
  copy.close();
});
