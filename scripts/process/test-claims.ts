/**
 * Holds what a document claims against the tests that ran. A claim names a test's file and its
 * title: `tests/routes/limits.test.ts` "stop a program and not a person".
 */
import { existsSync, readFileSync } from "node:fs";
import { readReport, testName } from "./test-reports.ts";
import { type Counts, NONE, ONE_FAILED, ONE_PASSED } from "./test-tally.ts";

const CLAIM = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"\n]+)"/g;
const ANY_FILE = /`[\w./-]+\.(?:test|spec)\.tsx?`/g;

/** What is wrong with the claims of a text, a line each: no title, or no such test that passed. */
export function wrongClaims(text: string, passed: ReadonlySet<string>): string[] {
  const claims = [...text.matchAll(CLAIM)];
  const untitled = [...text.replaceAll(CLAIM, "").matchAll(ANY_FILE)];
  return [
    ...untitled.map(([file]) => `${file} is named without a title`),
    ...claims
      .map(([, file = "", title = ""]) => testName(file, title))
      .filter((claim) => !passed.has(claim))
      .map((claim) => `${claim} did not run and pass`),
  ];
}

/** Counts one test for each document; a report that is missing proves nothing. */
export async function checkClaims(
  documents: readonly string[],
  reports: readonly string[],
): Promise<Counts> {
  const passed = new Set(
    reports.filter((path) => existsSync(path)).flatMap((path) => readReport(path).passed),
  );
  let counts = NONE;
  for (const document of documents) {
    const wrong = wrongClaims(readFileSync(document, "utf8"), passed);
    for (const line of wrong) console.log(`${document}: ${line}`);
    const { passed: right, failed } = wrong.length === 0 ? ONE_PASSED : ONE_FAILED;
    counts = { ...counts, passed: counts.passed + right, failed: counts.failed + failed };
  }
  return counts;
}
