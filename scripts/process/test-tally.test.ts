import { afterEach, expect, test, vi } from "vitest";
import { ONE_PASSED, Tally } from "./test-tally.ts";

afterEach(() => vi.restoreAllMocks());

test("a run ends with the parts and the tests that failed", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  const tally = new Tally();
  await tally.step("types", async () => ONE_PASSED);
  const failures = ['a.test.ts "one"', "b.test.ts"];
  await tally.step("unit", async () => ({ passed: 3, failed: 2, skipped: 0, failures }));
  await tally.step("browser", () => Promise.reject(new Error("no Chromium")));
  printed.mockClear();
  expect(tally.close()).toBe(1);
  expect(printed.mock.calls.flat()).toEqual([
    '\nFailed: unit\n  a.test.ts "one"\n  b.test.ts\nFailed: browser',
    "\n4 passed, 3 failed",
  ]);
});

test("a run that is green ends with 0, one without a test with 1", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const tally = new Tally();
  expect(tally.close()).toBe(1);
  await tally.step("types", async () => ONE_PASSED);
  expect(tally.close()).toBe(0);
});
