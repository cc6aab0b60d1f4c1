/** Threads and processes beside the server: where their entry file is, and their lower priority. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * `built` is its name in the build, beside the bundle or one folder up when the module of `base` is
 * in a shared chunk; `source` is its address from that module's source.
 */
export function threadFile(base: string, built: string, source: string): string {
  const places = [`./${built}.js`, `../${built}.js`, source];
  const paths = places.map((place) => fileURLToPath(new URL(place, base)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`no thread at ${paths.join(", ")}`);
  return path;
}

/** Added to a thread's nice value. Only on Linux: elsewhere it would apply to the whole process. */
export const NICENESS = process.platform === "linux" ? 10 : 0;

const TASKS = "/proc/self/task";

/**
 * V8's own threads collect the garbage of all threads of the process. A long document makes much of
 * it, and on one processor collecting it would delay visitors.
 */
export function lowerCollectors(): void {
  if (NICENESS === 0) return;
  try {
    for (const thread of readdirSync(TASKS)) {
      const name = readFileSync(`${TASKS}/${thread}/comm`, "utf8").trim();
      if (name === "V8Worker") lower(thread);
    }
  } catch {
    // If the system cannot be asked, they stay as they are.
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
