/**
 * `npm run test:long [-- step …]`: what takes long or wants a quiet machine, of which `npm test` has a
 * short form or none: load with many rows, the image, storms and crowds, many histories, all modes of
 * each scene. Twenty minutes to an hour on two processors.
 */
import { requireChromium } from "#scripts/process/chromium.ts";
import { ensureBuild } from "#scripts/process/production-build.ts";
import { askedSteps, runBrowserTests, runVitest, Tally } from "#scripts/process/test-run.ts";

const ROWS = { LOAD_ROWS: "100000" };
const FUZZ = {
  FUZZ_SECONDS: "120",
  FUZZ_RUNS: "100",
  FUZZ_CROWDS: "12",
};

const runs = askedSteps(["load", "fuzz", "faults", "browser"]);
const chromium = runs("browser") ? await requireChromium().catch((error: Error) => error) : "";
if (!(await ensureBuild())) process.exit(1);
const tally = new Tally();
if (runs("load")) {
  await tally.step("load tests and the image", () => runVitest(["speed", "long"], ROWS));
}
if (runs("fuzz")) {
  await tally.step("storms and crowds", () => runVitest(["whole"], FUZZ, ["tests/fuzz"]));
}
if (runs("faults")) {
  await tally.step("histories", () => runVitest(["faults"], { FAULT_HISTORIES: "200" }));
}
if (runs("browser")) {
  await tally.step("browser tests", () => runBrowserTests(chromium, { ALL_MODES: "1" }));
}
process.exit(tally.close());
