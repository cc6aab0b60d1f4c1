/**
 * Holds what a document claims against the tests that ran. A claim names a test's file and its
 * title: `tests/routes/limits.test.ts` "stop a program and not a person".
 */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Counts, NONE, ONE_FAILED, ONE_PASSED } from "./test-tally.ts";

const CLAIM = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"\n]+)"/g;
const ANY_FILE = /`[\w./-]+\.(?:test|spec)\.tsx?`/g;

interface VitestReport {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

interface PlaywrightSuite {
  specs?: { title: string; file: string; ok: boolean }[];
  suites?: PlaywrightSuite[];
}

/** `file "title"` of every test that passed in the reports; those that are missing are left out. */
export function passedTests(reports: readonly string[]): Set<string> {
  const passed = new Set<string>();
  for (const path of reports.filter((report) => existsSync(report))) {
    const report = JSON.parse(readFileSync(path, "utf8")) as VitestReport | PlaywrightSuite;
    if ("testResults" in report) {
      for (const { name, assertionResults } of report.testResults) {
        for (const { title, status } of assertionResults) {
          if (status === "passed") passed.add(nameOf(relative(process.cwd(), name), title));
        }
      }
    } else addSpecs(report as PlaywrightSuite, passed);
  }
  return passed;
}

function addSpecs({ specs = [], suites = [] }: PlaywrightSuite, passed: Set<string>): void {
  for (const { file, title, ok } of specs)
    if (ok) passed.add(nameOf(`tests/browser/${file}`, title));
  for (const suite of suites) addSpecs(suite, passed);
}

/** What is wrong with the claims of a text, a line each: no title, or no such test that passed. */
export function wrongClaims(text: string, passed: ReadonlySet<string>): string[] {
  const claims = [...text.matchAll(CLAIM)];
  const untitled = [...text.replaceAll(CLAIM, "").matchAll(ANY_FILE)];
  return [
    ...untitled.map(([file]) => `${file} is named without a title`),
    ...claims
      .map(([, file = "", title = ""]) => nameOf(file, title))
      .filter((claim) => !passed.has(claim))
      .map((claim) => `${claim} did not run and pass`),
  ];
}

/** Counts one test for each document. */
export async function checkClaims(
  documents: readonly string[],
  reports: readonly string[],
): Promise<Counts> {
  const passed = passedTests(reports);
  let counts = NONE;
  for (const document of documents) {
    const wrong = wrongClaims(readFileSync(document, "utf8"), passed);
    for (const line of wrong) console.log(`${document}: ${line}`);
    const { passed: right, failed } = wrong.length === 0 ? ONE_PASSED : ONE_FAILED;
    counts = { ...counts, passed: counts.passed + right, failed: counts.failed + failed };
  }
  return counts;
}

function nameOf(file: string, title: string): string {
  return `${file} "${title}"`;
}
