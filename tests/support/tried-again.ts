import type { Reporter, TestCase } from "vitest/node";

/** Names each test that passed only when it was tried again; Vitest itself says nothing of it. */
export default class TriedAgain implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    console.log(`Passed only when tried again: ${test.module.relativeModuleId} > ${test.fullName}`);
  }
}
