/**
 * `npm test [-- step …]`: every check there is in its short form, or the named steps; closes with one
 * line of counts. What takes long is `npm run test:long`.
 */
import { requireChromium } from "#scripts/process/chromium.ts";
import { ensureBuild, makeBuild } from "#scripts/process/production-build.ts";
import {
  askedSteps,
  CODE_CHECKS,
  passes,
  runBrowserTests,
  runVitest,
  Tally,
} from "#scripts/process/test-run.ts";

/** The projects of vitest.config.ts, by the step that runs them. */
const PROJECTS = {
  unit: ["unit", "routes"],
  whole: ["whole", "commands"],
  faults: ["faults"],
  load: ["speed"],
};
const ON_BUILD = [...Object.keys(PROJECTS), "browser"];

const runs = askedSteps([...Object.keys(CODE_CHECKS), "build", ...ON_BUILD]);
const tally = new Tally();
// Sought first, so that a long download or a missing browser is known at the beginning.
const chromium = runs("browser") ? await requireChromium().catch((error: Error) => error) : "";
if (chromium) console.log(chromium instanceof Error ? chromium.message : `Browser: ${chromium}`);
// Side by side: each keeps one processor busy and prints nothing unless it fails.
const [built] = await Promise.all([
  buildFirst(),
  ...Object.entries(CODE_CHECKS).map(([name, check]) => runs(name) && tally.step(name, check)),
]);
if (!built) console.log("\nWithout a build only unit tests can run.");
// In one run: those that wait for answers leave the processors to the others.
const asked = Object.entries(PROJECTS).filter(([step]) => runs(step));
const projects = built ? asked.flatMap(([, names]) => names) : ["unit"];
if (asked.length > 0) {
  const names = asked.map(([step]) => step).join(", ");
  await tally.step(`tests of ${names}`, () => runVitest(projects));
}
if (built && runs("browser")) {
  await tally.step("browser tests", () => runBrowserTests(chromium));
}
process.exit(tally.close());

/** The steps after it run the built server; asked for alone, they take a build that is fresh. */
async function buildFirst(): Promise<boolean> {
  if (runs("build")) return tally.step("build", () => passes(makeBuild()));
  return !ON_BUILD.some(runs) || ensureBuild();
}
