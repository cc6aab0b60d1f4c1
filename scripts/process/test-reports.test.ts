import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countedRun } from "./test-reports.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-"));
afterAll(() => rmSync(folder, { recursive: true }));
const report = join(folder, "report.json");

const ran = (written: unknown, status = 0) =>
  countedRun(report, async () => {
    writeFileSync(report, typeof written === "string" ? written : JSON.stringify(written));
    return { status };
  });

const file = (name: string, status: string, ...tests: string[]) => ({
  name: join(process.cwd(), name),
  status,
  assertionResults: tests.map((each) => ({ title: each, status: each })),
});

test("a vitest file that cannot be loaded counts as a failure, by its path", async () => {
  const testResults = [
    file("a.test.ts", "passed", "passed", "todo"),
    file("b.test.ts", "failed", "failed", "passed", "skipped"),
    file("c.test.ts", "failed"),
  ];
  expect(await ran({ testResults }, 1)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 2,
    failures: ['b.test.ts "failed"', "c.test.ts"],
  });
});

test("a flaky browser test counts as failed", async () => {
  const spec = (title: string, status: string) => ({
    title,
    file: "b.spec.ts",
    tests: [{ status }],
  });
  const inner = { specs: [spec("a", "expected"), spec("b", "unexpected")] };
  const suites = [{ suites: [inner], specs: [spec("c", "flaky"), spec("d", "skipped")] }];
  expect(await ran({ suites })).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: ['tests/browser/b.spec.ts "c"', 'tests/browser/b.spec.ts "b"'],
  });
});

test("a runner that fails without a failed test, or without a whole report, counts as a failure", async () => {
  const testResults = [file("a.test.ts", "passed", "passed")];
  expect(await ran({ testResults }, 1)).toMatchObject({ passed: 1, failed: 1, failures: [] });
  expect(await ran('{"testResults":[')).toMatchObject({ passed: 0, failed: 1 });
  // That of the run before does not count.
  const none = await countedRun(report, async () => ({ status: 0 }));
  expect(none).toMatchObject({ passed: 0, failed: 1 });
});
