import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countedRun, countPlaywright, countVitest } from "./test-reports.ts";

const report = join(mkdtempSync(join(tmpdir(), "reports-")), "report.json");
const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test("a vitest file that cannot be loaded counts as a failure", () => {
  const text = JSON.stringify({
    numPassedTests: 2,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [file("passed", "passed"), file("failed", "failed", "passed"), file("failed")],
  });
  expect(countVitest(text)).toEqual({ passed: 2, failed: 2, skipped: 1 });
});

test("a flaky browser test counts as failed", () => {
  const text = JSON.stringify({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } });
  expect(countPlaywright(text)).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test("a runner that fails without a failed test, or without a report, counts as a failure", async () => {
  const all = () => ({ passed: 3, failed: 0, skipped: 0 });
  const counts = await countedRun(report, all, async () => {
    writeFileSync(report, "{}");
    return { status: 1 };
  });
  expect(counts).toEqual({ passed: 3, failed: 1, skipped: 0, failures: [] });
  const none = await countedRun(report, all, async () => ({ status: 0 }));
  expect(none).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
