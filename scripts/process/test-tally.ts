/** Runs the steps of a test run and counts over all of them. */

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests, where their runner names them. */
  failures?: readonly string[];
}

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };
export const ONE_PASSED: Counts = { passed: 1, failed: 0, skipped: 0 };
export const ONE_FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

export class Tally {
  #total = NONE;
  readonly #failed: string[] = [];

  /** Runs a step, which prints what a reader needs of it; one that throws counts as one failure. */
  async step(name: string, work: () => Promise<Counts>): Promise<boolean> {
    console.log(`\n── ${name} …`);
    const started = performance.now();
    const counts = await work().catch((error: unknown) => {
      console.error(error);
      return ONE_FAILED;
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`── ${name}: ${describeCounts(counts)} (${seconds} s)`);
    this.#total = {
      passed: this.#total.passed + counts.passed,
      failed: this.#total.failed + counts.failed,
      skipped: this.#total.skipped + counts.skipped,
    };
    if (counts.failed > 0) {
      this.#failed.push([`Failed: ${name}`, ...(counts.failures ?? [])].join("\n  "));
    }
    return counts.failed === 0;
  }

  /**
   * Prints what failed and the closing line; answers the exit status, 0 only if something ran and all
   * passed.
   */
  close(): number {
    if (this.#failed.length > 0) console.log(`\n${this.#failed.join("\n")}`);
    if (this.#total.passed + this.#total.failed === 0) console.log("\nNo test was executed.");
    console.log(`\n${describeCounts(this.#total)}`);
    return this.#total.failed === 0 && this.#total.passed > 0 ? 0 : 1;
  }
}

/** The steps that the command line names, all without any; ends the process for one that is none. */
export function askedSteps(steps: readonly string[]): {
  runs: (step: string) => boolean;
  isAll: boolean;
} {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !steps.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no step ${unknown}; there are ${steps.join(", ")}.`);
    process.exit(1);
  }
  const isAll = asked.length === 0;
  return { runs: (step) => isAll || asked.includes(step), isAll };
}

function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
