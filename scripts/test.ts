/** `npm test [-- step …]`: every check there is, or the named steps; closes with one line of counts. */

import { requireChromium } from "#scripts/process/chromium.ts";
import {
  checkFormatAndLint,
  checkTypes,
  checkUnusedCode,
  passes,
} from "#scripts/process/code-checks.ts";
import { ensureBuild, makeBuild } from "#scripts/process/production-build.ts";
import { checkClaims } from "#scripts/process/test-claims.ts";
import { countedRun } from "#scripts/process/test-reports.ts";
import { type Counts, Tally } from "#scripts/process/test-tally.ts";
import { runNodeTool } from "#scripts/process/tool-run.ts";
import { reportOf, runVitest } from "#scripts/process/vitest-run.ts";

const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";
const BROWSER_REPORT = "test-results/browser.json";
const REPORTS = [
  ...[["unit", "routes"], ["whole"], ["load"], ["faults"]].map(reportOf),
  BROWSER_REPORT,
];
const CLAIMING = ["SECURITY.md", "docs/asvs.md"];

const STEPS = [
  "lint",
  "types",
  "unused",
  "build",
  "unit",
  "whole",
  "load",
  "browser",
  "faults",
] as const;
type Step = (typeof STEPS)[number];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !STEPS.includes(name as Step));
if (unknown !== undefined) {
  console.error(`There is no step ${unknown}; there are ${STEPS.join(", ")}.`);
  process.exit(1);
}
const runs = (step: Step) => asked.length === 0 || asked.includes(step);

const tally = new Tally();
// Sought first, so that a long download or a missing browser is known at the beginning.
const chromium = runs("browser") ? await findChromium() : null;
// Side by side: each keeps one processor busy and prints nothing unless it fails.
const [built] = await Promise.all([
  buildFirst(),
  runs("lint") && tally.step("format and lint", checkFormatAndLint),
  runs("types") && tally.step("types", checkTypes),
  runs("unused") && tally.step("unused code", checkUnusedCode),
]);
if (runs("unit")) {
  await tally.step("unit and route tests", () => runVitest(built ? ["unit", "routes"] : ["unit"]));
}
if (!built) console.log("\nWithout a build no other test can run.");
if (built && runs("whole")) {
  await tally.step("commands, sandbox and fuzz tests", () => runVitest(["whole"]));
}
if (built && runs("load")) await tally.step("load tests", () => runVitest(["load"]));
if (built && runs("browser")) await tally.step("browser tests", browserTests);
if (built && runs("faults")) await tally.step("fault tests", () => runVitest(["faults"]));
if (asked.length === 0) {
  await tally.step("what the documents claim of tests", () => checkClaims(CLAIMING, REPORTS));
}
process.exit(tally.close());

/** The steps after it run the built server; asked for alone, they take a build that is fresh. */
async function buildFirst(): Promise<boolean> {
  if (runs("build")) return tally.step("build", () => passes(makeBuild()));
  const onBuild: Step[] = ["unit", "whole", "load", "browser", "faults"];
  return !onBuild.some(runs) || ensureBuild();
}

async function findChromium(): Promise<{ path: string } | { problem: string }> {
  try {
    const path = await requireChromium();
    console.log(`Browser tests use ${path}`);
    return { path };
  } catch (error) {
    const problem = (error as Error).message;
    console.error(problem);
    return { problem };
  }
}

async function browserTests(): Promise<Counts> {
  if (chromium && "problem" in chromium) throw chromium.problem;
  return countedRun(BROWSER_REPORT, () =>
    runNodeTool([PLAYWRIGHT, "test"], {
      env: {
        ...process.env,
        CHROMIUM_PATH: chromium?.path,
      },
      echo: true,
    }),
  );
}
