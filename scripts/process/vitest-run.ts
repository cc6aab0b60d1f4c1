/** Runs projects of vitest.config.ts and counts their tests. */
import { globSync } from "node:fs";
import { countedRun, countVitest } from "./test-reports.ts";
import { type Counts, NONE } from "./test-tally.ts";
import { runNodeTool } from "./tool-run.ts";

const VITEST = "node_modules/vitest/vitest.mjs";

/** Where a run of these projects leaves its report. */
export function reportOf(projects: readonly string[]): string {
  return `test-results/vitest-${projects.join("-")}.json`;
}

export async function runVitest(
  projects: readonly string[],
  env: NodeJS.ProcessEnv = {},
  files: readonly string[] = [],
): Promise<Counts> {
  const report = reportOf(projects);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = projects.map((project) => `--project=${project}`);
  return countedRun(report, countVitest, () =>
    runNodeTool([VITEST, "run", ...reporters, ...chosen, ...files], {
      // Vitest colours its output in CI too, where nobody sees colours.
      env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }), ...env },
      echo: true,
    }),
  );
}

/** The fault tests, against the built server; `env` sets how many histories and which seed. */
export async function runFaultTests(env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  if (globSync("tests/faults/**/*.test.ts").length === 0) {
    console.log("There is no test under tests/faults.");
    return NONE;
  }
  return runVitest(["faults"], env);
}
