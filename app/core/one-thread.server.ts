/** A thread for jobs that may be hostile: one at a time, each on a fresh thread within limits. */
import { Worker } from "node:worker_threads";
import { threadFile } from "./thread-file.server.ts";

interface ThreadOptions {
  /** As for `threadFile`. Its module calls `answerJob`. */
  base: string;
  built: string;
  source: string;
  /** Megabytes of its JavaScript. */
  megabytes: number;
}

/** Milliseconds of a job. */
const LIMIT_MS = 10_000;
/** Jobs under way or waiting for their turn. */
const MOST_JOBS = 16;

interface RunOptions {
  stop?: AbortSignal;
  transfer?: ArrayBuffer[];
}

export interface OneThread<Job, Answer> {
  /** Null: the job went beyond its time or memory, was stopped, or too many wait. */
  run(job: Job, options?: RunOptions): Promise<Answer | null>;
}

export function oneThread<Job, Answer>(options: ThreadOptions): OneThread<Job, Answer> {
  let jobs = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(job, { stop, transfer = [] } = {}) {
      if (jobs >= MOST_JOBS) return null;
      jobs += 1;
      const turn = last.then(() => work<Job, Answer>(options, job, { stop, transfer }));
      last = turn.catch(() => {});
      return turn.finally(() => {
        jobs -= 1;
      });
    },
  };
}

/** The thread never keeps the process alive. */
async function work<Job, Answer>(
  { base, built, source, megabytes }: ThreadOptions,
  job: Job,
  { stop, transfer }: { stop: AbortSignal | undefined; transfer: ArrayBuffer[] },
): Promise<Answer | null> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const signal = stop ? AbortSignal.any([stop, limit]) : limit;
  if (signal.aborted) return null;
  const thread = new Worker(threadFile(base, built, source), {
    workerData: job,
    transferList: transfer,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 8 },
  });
  thread.unref();
  try {
    return await new Promise<Answer | null>((resolve, reject) => {
      thread.once("message", resolve);
      // Stays to the end: a full memory may be told while the thread is being ended for its time.
      thread.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(null);
        else reject(error);
      });
      thread.once("exit", () => resolve(null));
      signal.addEventListener("abort", () => resolve(null), { once: true });
    });
  } finally {
    await thread.terminate();
  }
}
