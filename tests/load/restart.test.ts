/** A new release is put in while people use the service: nobody sees an error. The bench does it for a minute. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillDatabase } from "#scripts/bench/database.ts";
import { restartUnderLoad } from "#scripts/bench/restart.ts";
import { type Bench, makeBench } from "#scripts/bench/servers.ts";
import { sharedSandbox } from "#tests/support/hooks.ts";

const APPOINTMENTS = 5_000;

const sandbox = sharedSandbox();
let bench: Bench;
beforeAll(() => {
  // In the project's folder, where the next release finds the packages.
  mkdirSync("data", { recursive: true });
  const folder = mkdtempSync(join("data", "restart-"));
  bench = makeBench(folder, sandbox);
});
afterAll(() => bench.close());

it("loses no request in a restart with a migration between", async () => {
  const database = bench.path("test.db");
  await fillDatabase(database, APPOINTMENTS);
  // How long a start takes depends on what else the machine does; the bench holds it to 2 s.
  const load = { count: 500, perSecond: 50, patience: 60_000 };
  const { lost, gapMs } = await restartUnderLoad(bench, database, load);
  console.log(`${Math.round(gapMs)} ms from the old process' end to the new one's first answer`);
  expect(lost).toEqual([]);
});
