/** Gives the threads that work in the background a lower priority than the one that answers. */
import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** Added to a thread's nice value. Elsewhere than on Linux it would be that of the whole process. */
export const NICENESS = process.platform === "linux" ? 10 : 0;

const TASKS = "/proc/self/task";

/**
 * V8's own threads collect the garbage of every thread of the process. While a long document is
 * made there is much of it, and on one processor they would be between a visitor and the answer.
 */
export function lowerCollectors(): void {
  if (NICENESS === 0) return;
  try {
    const lower = Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW);
    for (const thread of readdirSync(TASKS)) {
      const name = readFileSync(`${TASKS}/${thread}/comm`, "utf8").trim();
      if (name === "V8Worker") setPriority(Number(thread), lower);
    }
  } catch {
    // Where the system does not let itself be asked they stay as they are.
  }
}
