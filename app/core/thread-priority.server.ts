/** Gives the threads that work in the background a lower priority than the one that answers. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
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
    for (const thread of readdirSync(TASKS)) {
      const name = readFileSync(`${TASKS}/${thread}/comm`, "utf8").trim();
      if (name === "V8Worker") lower(thread);
    }
  } catch {
    // Where the system does not let itself be asked they stay as they are.
  }
}

/** The thread that calls this. */
export function lowerOwnThread(): void {
  try {
    // `PID/task/TID`
    lower(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    // As above.
  }
}

/** A process, or a thread of ours. */
export function lower(id: number | string | undefined): void {
  if (NICENESS === 0 || id === undefined) return;
  setPriority(Number(id), Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
}
