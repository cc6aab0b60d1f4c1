/** Runs projects of vitest.config.ts and counts their tests. */
import { countedRun } from "./test-reports.ts";
import type { Counts } from "./test-tally.ts";
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
  return countedRun(report, () =>
    runNodeTool([VITEST, "run", ...reporters, ...chosen, ...files], {
      // Vitest colours its output in CI too, where nobody sees colours.
      env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }), ...env },
      echo: true,
    }),
  );
}
