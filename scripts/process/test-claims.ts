/**
 * Holds what a document claims against the tests that ran. A claim names a test's file and its
 * title: `tests/routes/limits.test.ts` "stop a program and not a person".
 */
import { existsSync, readFileSync } from "node:fs";
import { readReport, testName } from "./test-reports.ts";
import { type Counts, NONE, ONE_FAILED, ONE_PASSED } from "./test-tally.ts";

const CLAIM = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"\n]+)"/g;
const ANY_FILE = /`[\w./-]+\.(?:test|spec)\.tsx?`/g;

/** The documents whose claims are held against the tests. */
export const CLAIMING = ["SECURITY.md", "docs/asvs.md"];

/** What only `npm run test:long` runs: the project `long` of vitest.config.ts. */
const LONG = /^tests\/(load\/(?!admin-list-speed)|commands\/container\.test)/;

export const isLong = (file: string): boolean => LONG.test(file);

/**
 * What is wrong with the claims of a text, a line each: no title, or no such test that passed. Of
 * files that another command runs a test need only stand there.
 */
export function wrongClaims(
  text: string,
  passed: ReadonlySet<string>,
  isElsewhere: (file: string) => boolean = () => false,
): string[] {
  const claims = [...text.matchAll(CLAIM)];
  const untitled = [...text.replaceAll(CLAIM, "").matchAll(ANY_FILE)];
  return [
    ...untitled.map(([file]) => `${file} is named without a title`),
    ...claims
      .filter(([, file = "", title = ""]) =>
        isElsewhere(file) ? !stands(file, title) : !passed.has(testName(file, title)),
      )
      .map(([, file = "", title = ""]) => `${testName(file, title)} did not run and pass`),
  ];
}

/** Whether the title stands in quotes in the file; what a test puts into its title may be anything. */
export function stands(file: string, title: string): boolean {
  if (!existsSync(file)) return false;
  const quoted = readFileSync(file, "utf8").matchAll(/"([^"\n]+)"|`([^`\n]+)`/g);
  return [...quoted].some(([, plain = "", template = plain]) => {
    const [start = "", ...rest] = template.split(/%[sij]|\$\w+|\$\{[^}]*\}/);
    const end = rest.at(-1);
    if (end === undefined) return title === start;
    return (start + end).length > 8 && title.startsWith(start) && title.endsWith(end);
  });
}

/** Counts one test for each document; a report that is missing proves nothing. */
export async function checkClaims(
  documents: readonly string[],
  reports: readonly string[],
  isElsewhere?: (file: string) => boolean,
): Promise<Counts> {
  const passed = new Set(
    reports.filter((path) => existsSync(path)).flatMap((path) => readReport(path).passed),
  );
  let counts = NONE;
  for (const document of documents) {
    const wrong = wrongClaims(readFileSync(document, "utf8"), passed, isElsewhere);
    for (const line of wrong) console.log(`${document}: ${line}`);
    const { passed: right, failed } = wrong.length === 0 ? ONE_PASSED : ONE_FAILED;
    counts = { ...counts, passed: counts.passed + right, failed: counts.failed + failed };
  }
  return counts;
}
