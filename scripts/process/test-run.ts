/** The steps of a test run, and what they count together. */
import { readFileSync, rmSync, statfsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild, ROUTER } from "./production-build.ts";
import { runNodeTool, type ToolResult } from "./tool-run.mjs";

export const BIOME = "node_modules/@biomejs/biome/bin/biome";
export const TSC = "node_modules/typescript/bin/tsc";
const KNIP = "node_modules/knip/bin/knip.js";
const VITEST = "node_modules/vitest/vitest.mjs";
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";
const VITEST_REPORT = "test-results/vitest.json";
const BROWSER_REPORT = "test-results/browser.json";
/** Linux keeps it in memory. */
const MEMORY = "/dev/shm";

export const ONE_PASSED = { passed: 1, failed: 0, skipped: 0 };
const ONE_FAILED = { passed: 0, failed: 1, skipped: 0 };
export type Counts = typeof ONE_PASSED;

export class Tally {
  readonly #total: Counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failed: string[] = [];

  /** Runs a step, which prints what a reader needs of it; one that throws counts as one failure. */
  async step(name: string, work: () => Promise<Counts>): Promise<boolean> {
    console.log(`\n── ${name} …`);
    const started = performance.now();
    const counts = await work().catch((error: unknown) => {
      console.error(error);
      return ONE_FAILED;
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`── ${name}: ${describeCounts(counts)} (${seconds} s)`);
    for (const how of ["passed", "failed", "skipped"] as const) this.#total[how] += counts[how];
    if (counts.failed > 0) this.#failed.push(`Failed: ${name}`);
    return counts.failed === 0;
  }

  /**
   * Prints what failed and the closing line; answers the exit status, 0 only if something ran and all
   * passed.
   */
  close(): number {
    const { passed, failed, skipped } = this.#total;
    if (failed > 0) console.log(`\n${this.#failed.join("\n")}`);
    if (passed + failed === 0) console.log("\nNo test was executed.");
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0 ? 0 : 1;
  }
}

function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Which steps the command line asks for, all if it names none; ends the process if it names an unknown one. */
export function askedSteps(steps: readonly string[]): (step: string) => boolean {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !steps.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no step ${unknown}; there are ${steps.join(", ")}.`);
    process.exit(1);
  }
  return (step) => asked.length === 0 || asked.includes(step);
}

/** The fast checks of the code itself; each counts as one test and prints only when it fails. */
export const CODE_CHECKS = {
  lint() {
    const colors = process.stdout.isTTY ? "force" : "off";
    return passes(runNodeTool([BIOME, "ci", "--error-on-warnings", `--colors=${colors}`]));
  },
  async types() {
    const typegen = await runNodeTool([ROUTER, "typegen"]);
    // The other checks use the second processor; with several threads it takes twice the processor time.
    return passes(
      typegen.status === 0 ? runNodeTool([TSC, "--singleThreaded"]) : Promise.resolve(typegen),
    );
  },
  unused: () => passes(runNodeTool([KNIP, "--no-progress"])),
};

export async function passes(tool: Promise<ToolResult>): Promise<Counts> {
  const { status, output } = await tool;
  if (status === 0) return ONE_PASSED;
  console.log(output.trimEnd());
  return ONE_FAILED;
}

/** Compiled code is kept, and the files of a test stay in memory, unless the environment says where. */
function testEnvironment(): NodeJS.ProcessEnv {
  const NODE_COMPILE_CACHE = resolve("node_modules/.cache/compiled");
  return { NODE_COMPILE_CACHE, ...(hasRoom(MEMORY) && { TMPDIR: MEMORY }), ...process.env };
}

/** False where there is no such folder; a container's is often small. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory()) > 4 * 2 ** 30;
  } catch {
    return false;
  }
}

/** Runs projects of vitest.config.ts, or these files of them. */
export function runVitest(
  projects: readonly string[],
  env: NodeJS.ProcessEnv = {},
  files: readonly string[] = [],
): Promise<Counts> {
  const named = ["default", "./tests/support/tried-again.ts", "json"];
  const reporters = named.map((reporter) => `--reporter=${reporter}`);
  const report = `--outputFile.json=${VITEST_REPORT}`;
  const chosen = projects.map((project) => `--project=${project}`);
  // In CI Vitest colours its output too, where nobody sees colours.
  const colours = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  return countedRun(VITEST_REPORT, () =>
    runNodeTool([VITEST, "run", ...reporters, report, ...chosen, ...files], {
      env: { ...testEnvironment(), ...colours, ...env },
      echo: true,
    }),
  );
}

/** `chromium` is its path, or the reason why there is none, which is thrown. */
export async function runBrowserTests(
  chromium: string | Error,
  env: NodeJS.ProcessEnv = {},
): Promise<Counts> {
  if (chromium instanceof Error) throw chromium.message;
  return countedRun(BROWSER_REPORT, () =>
    runNodeTool([PLAYWRIGHT, "test"], {
      env: { ...testEnvironment(), CHROMIUM_PATH: chromium, ...env },
      echo: true,
    }),
  );
}

/** Runs a runner that writes `report`; that of an earlier run is removed first. */
export async function countedRun(
  report: string,
  run: () => Promise<Pick<ToolResult, "status">>,
): Promise<Counts> {
  rmSync(report, { force: true });
  const { status } = await run();
  const counts = readCounts(report);
  // A failure outside any test: an unhandled error, a file that cannot be loaded, no test found.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readCounts(path: string): Counts {
  try {
    const { stats, ...report } = JSON.parse(readFileSync(path, "utf8"));
    if (stats) {
      const { expected, unexpected, flaky, skipped } = stats;
      if (flaky > 0) console.log(`${flaky} passed only when tried again.`);
      return { passed: expected + flaky, failed: unexpected, skipped };
    }
    const { numPassedTests: passed, numFailedTests: failed } = report;
    return { passed, failed, skipped: report.numPendingTests + report.numTodoTests };
  } catch (error) {
    console.error(`There is no readable report ${path}: ${(error as Error).message}`);
    return ONE_FAILED;
  }
}

/** A command that only runs a project's tests, or some files of them, on the built server. */
export async function runAlone(
  name: string,
  project: string,
  env: NodeJS.ProcessEnv,
  ...files: string[]
): Promise<never> {
  if (!(await ensureBuild())) process.exit(1);
  const tally = new Tally();
  await tally.step(name, () => runVitest([project], env, files));
  process.exit(tally.close());
}

/** Command-line options that are whole numbers; ends the process with a sentence for any other. */
export function wholeNumbers<Name extends string>(
  names: readonly Name[],
): Partial<Record<Name, string>> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ options });
    for (const [name, value] of Object.entries(values)) {
      if (!/^\d+$/.test(String(value))) throw new Error(`--${name} must be a whole number.`);
    }
    return values as Partial<Record<Name, string>>;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
