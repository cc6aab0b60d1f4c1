/** Runs the browser tests and counts them. */
import { countedRun } from "./test-reports.ts";
import type { Counts } from "./test-tally.ts";
import { runNodeTool } from "./tool-run.ts";

const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";
export const BROWSER_REPORT = "test-results/browser.json";

/** `chromium`: where it is, or why there is none, which is thrown. */
export async function runBrowserTests(
  chromium: string | Error,
  env: NodeJS.ProcessEnv = {},
): Promise<Counts> {
  if (chromium instanceof Error) throw chromium.message;
  return countedRun(BROWSER_REPORT, () =>
    runNodeTool([PLAYWRIGHT, "test"], {
      env: { ...process.env, CHROMIUM_PATH: chromium, ...env },
      echo: true,
    }),
  );
}
