/** Reads the JSON reports of the test runners. */
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { type Counts, ONE_FAILED } from "./test-tally.ts";

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { title: string; status: string }[];
  }[];
}

interface PlaywrightSuite {
  specs?: { title: string; file: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
}

/** The tests of a run by name, a file that could not be loaded by its path. */
interface Outcome {
  passed: string[];
  failed: string[];
  skipped: string[];
}

/** Runs a runner that writes `reportFile`; the report of an earlier run is removed first. */
export async function countedRun(
  reportFile: string,
  run: () => Promise<{ status: number }>,
): Promise<Counts> {
  rmSync(reportFile, { force: true });
  const { status } = await run();
  const counts = readCounts(reportFile);
  // A failure outside any test: an unhandled error, a global set-up, no test found.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readCounts(reportFile: string): Counts {
  try {
    const { passed, failed, skipped } = readReport(reportFile);
    const counts = { passed: passed.length, failed: failed.length, skipped: skipped.length };
    return { ...counts, failures: failed };
  } catch (error) {
    console.error(`There is no readable report ${reportFile}: ${(error as Error).message}`);
    return ONE_FAILED;
  }
}

/** Throws if there is none, or half of one. */
export function readReport(path: string): Outcome {
  const report = JSON.parse(readFileSync(path, "utf8")) as VitestReport | PlaywrightSuite;
  const outcome: Outcome = { passed: [], failed: [], skipped: [] };
  if ("testResults" in report) addFiles(report, outcome);
  else addSpecs(report, outcome);
  return outcome;
}

export function testName(file: string, title: string): string {
  return `${file} "${title}"`;
}

function addFiles({ testResults }: VitestReport, { passed, failed, skipped }: Outcome): void {
  for (const { name, status: ofFile, assertionResults } of testResults) {
    const file = relative(process.cwd(), name);
    for (const { title, status } of assertionResults) {
      const list = status === "passed" ? passed : status === "failed" ? failed : skipped;
      list.push(testName(file, title));
    }
    const isBroken = ofFile === "failed" && assertionResults.every((t) => t.status !== "failed");
    if (isBroken) failed.push(file);
  }
}

/** A flaky test failed once, so it counts as failed. */
function addSpecs({ specs = [], suites = [] }: PlaywrightSuite, outcome: Outcome): void {
  const { passed, failed, skipped } = outcome;
  for (const { file, title, tests } of specs) {
    for (const { status } of tests) {
      const list = status === "expected" ? passed : status === "skipped" ? skipped : failed;
      list.push(testName(`tests/browser/${file}`, title));
    }
  }
  for (const suite of suites) addSpecs(suite, outcome);
}
