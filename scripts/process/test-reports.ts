/** Counts and names of tests from the JSON reports of the test runners. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { type Counts, ONE_FAILED } from "./test-tally.ts";

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
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

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** `file "title"` of the tests in the reports, a file that could not be loaded by its own name. */
interface ReportedTests {
  passed: Set<string>;
  failed: Set<string>;
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
    const counts = count(readFileSync(reportFile, "utf8"));
    return { ...counts, failures: [...reportedTests([reportFile]).failed] };
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

/** The tests of reports; those that are missing are left out. */
export function reportedTests(reports: readonly string[]): ReportedTests {
  const tests: ReportedTests = { passed: new Set(), failed: new Set() };
  for (const path of reports.filter((report) => existsSync(report))) {
    const report = JSON.parse(readFileSync(path, "utf8")) as VitestReport | PlaywrightSuite;
    if ("testResults" in report) addFiles(report, tests);
    else addSpecs(report, tests);
  }
  return tests;
}

export function testName(file: string, title: string): string {
  return `${file} "${title}"`;
}

function addFiles({ testResults }: VitestReport, { passed, failed }: ReportedTests): void {
  for (const { name, status: ofFile, assertionResults } of testResults) {
    const file = relative(process.cwd(), name);
    for (const { title, status } of assertionResults) {
      if (status === "passed") passed.add(testName(file, title));
      else if (status === "failed") failed.add(testName(file, title));
    }
    if (ofFile === "failed" && !assertionResults.some(({ status }) => status === "failed")) {
      failed.add(file);
    }
  }
}

function addSpecs({ specs = [], suites = [] }: PlaywrightSuite, tests: ReportedTests): void {
  for (const { file, title, tests: runs } of specs) {
    const name = testName(`tests/browser/${file}`, title);
    // A flaky one failed once; one that was skipped is neither.
    for (const { status } of runs) {
      if (status === "expected") tests.passed.add(name);
      else if (status !== "skipped") tests.failed.add(name);
    }
  }
  for (const suite of suites) addSpecs(suite, tests);
}
