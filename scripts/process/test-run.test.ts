import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { countedRun, ONE_PASSED, Tally } from "./test-run.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());
const report = join(folder, "report.json");

const ran = (written: unknown, status = 0) =>
  countedRun(report, async () => {
    writeFileSync(report, typeof written === "string" ? written : JSON.stringify(written));
    return { status };
  });
const unit = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };

test("the counts are the runner's, and a test that passed when tried again is named", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(await ran(unit, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 });
  const stats = { expected: 4, unexpected: 1, flaky: 2, skipped: 1 };
  expect(await ran({ stats }, 1)).toEqual({ passed: 6, failed: 1, skipped: 1 });
  expect(printed.mock.calls.flat()).toEqual(["2 passed only when tried again."]);
});

test("a runner that fails without a failed test, or without a whole report, counts as a failure", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await ran({ ...unit, numFailedTests: 0 }, 1)).toMatchObject({ passed: 2, failed: 1 });
  expect(await ran('{"stats":{')).toMatchObject({ passed: 0, failed: 1 });
  // That of the run before does not count.
  const none = await countedRun(report, async () => ({ status: 0 }));
  expect(none).toMatchObject({ passed: 0, failed: 1 });
});

test("a run ends with the steps that failed and the counts, and with 0 only if all passed", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(new Tally().close()).toBe(1);
  const green = new Tally();
  await green.step("types", async () => ONE_PASSED);
  expect(green.close()).toBe(0);
  const red = new Tally();
  await red.step("unit", async () => ({ passed: 3, failed: 2, skipped: 0 }));
  await red.step("browser", () => Promise.reject(new Error("no Chromium")));
  printed.mockClear();
  expect(red.close()).toBe(1);
  expect(printed.mock.calls.flat()).toEqual([
    "\nFailed: unit\nFailed: browser",
    "\n3 passed, 3 failed",
  ]);
});
