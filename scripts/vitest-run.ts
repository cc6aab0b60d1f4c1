/** Runs projects of vitest.config.ts and counts their tests. */
import { globSync } from "node:fs";
import { countedRun, countVitest } from "./test-reports.ts";
import { type Counts, ONE_FAILED } from "./test-tally.ts";
import { runNodeTool } from "./tool-run.ts";

const VITEST = "node_modules/vitest/vitest.mjs";

export async function runVitest(
  projects: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Counts> {
  const report = `test-results/vitest-${projects.join("-")}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = projects.map((project) => `--project=${project}`);
  return countedRun(report, countVitest, () =>
    runNodeTool([VITEST, "run", ...reporters, ...chosen], {
      env: { ...process.env, ...env },
      echo: true,
    }),
  );
}

/** The fault tests, against the built server; `env` sets how many histories and which seed. */
export async function runFaultTests(env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  if (globSync("tests/faults/**/*.test.ts").length === 0) {
    console.error("There is no test under tests/faults.");
    return ONE_FAILED;
  }
  return runVitest(["faults"], env);
}
