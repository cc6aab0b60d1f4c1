/** A thread for jobs that may be hostile: one at a time, within limits, and gone when idle. */
import { Piscina } from "piscina";
import { threadFile } from "./thread-file.server.ts";
import { NICENESS } from "./thread-priority.server.ts";

interface ThreadOptions {
  /** As for `threadFile`. */
  base: string;
  built: string;
  source: string;
  /** Megabytes of its JavaScript. */
  megabytes: number;
}

/** Milliseconds of a job; what it waits counts in. */
const LIMIT_MS = 10_000;
/** Jobs that wait for the thread. */
const MOST_WAITING = 16;
const IDLE_MS = 2_000;

export interface OneThread<Job, Answer> {
  /** Null: the job went beyond its time or memory, was stopped, or too many wait. */
  run(job: Job, options?: { stop?: AbortSignal; transfer?: ArrayBuffer[] }): Promise<Answer | null>;
}

/** It starts with the first job, and never keeps the process alive. */
export function oneThread<Job, Answer>(options: ThreadOptions): OneThread<Job, Answer> {
  const { base, built, source, megabytes } = options;
  let pool: Piscina<Job, Answer> | null = null;
  const open = () =>
    new Piscina<Job, Answer>({
      filename: threadFile(base, built, source),
      minThreads: 0,
      maxThreads: 1,
      maxQueue: MOST_WAITING,
      idleTimeout: IDLE_MS,
      // A thread that waits in an atomic wait cannot end by itself.
      atomics: "disabled",
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 8 },
      niceIncrement: NICENESS,
    });
  return {
    async run(job, { stop, transfer = [] } = {}) {
      pool ??= open();
      const limit = AbortSignal.timeout(LIMIT_MS);
      const signal = stop ? AbortSignal.any([stop, limit]) : limit;
      try {
        return await pool.run(job, { signal, transferList: transfer });
      } catch (error) {
        if (signal.aborted || isFull(error)) return null;
        throw error;
      }
    },
  };
}

/** The thread's memory, or the queue. */
function isFull(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === "ERR_WORKER_OUT_OF_MEMORY" || message === "Task queue is at limit";
}
