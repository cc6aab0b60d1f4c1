/** Counts from the JSON reports of the test runners. */
import { readFileSync, rmSync } from "node:fs";
import { type Counts, ONE_FAILED } from "./test-tally.ts";

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** Runs a runner that writes `reportFile`; the report of an earlier run is removed first. */
export async function countedRun(
  reportFile: string,
  count: (report: string) => Counts,
  run: () => Promise<{ status: number }>,
): Promise<Counts> {
  rmSync(reportFile, { force: true });
  const { status } = await run();
  const counts = readCounts(reportFile, count);
  // A failure outside any test: an unhandled error, a global set-up, no test found.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readCounts(reportFile: string, count: (report: string) => Counts): Counts {
  try {
    return count(readFileSync(reportFile, "utf8"));
  } catch (error) {
    console.error(`There is no readable report ${reportFile}: ${(error as Error).message}`);
    return ONE_FAILED;
  }
}

export function countVitest(report: string): Counts {
  const read = JSON.parse(report) as VitestReport;
  const brokenFiles = read.testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  return {
    passed: read.numPassedTests,
    failed: read.numFailedTests + brokenFiles,
    skipped: read.numPendingTests + read.numTodoTests,
  };
}

/** A flaky test failed once, so it counts as failed. */
export function countPlaywright(report: string): Counts {
  const { stats } = JSON.parse(report) as PlaywrightReport;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  };
}
