/** Parses calendars in a worker thread with limits, so that a hostile one affects nothing else. */
import { Worker } from "node:worker_threads";
import { threadFile } from "#app/core/threads.server.ts";
import type { BusyPart, BusyQuery } from "./busy-times.ts";
import { CalendarError } from "./calendar-rules.ts";
import type { CalendarAnswer, CalendarJob } from "./calendar-thread.ts";

/** Ten thousand events take half of this memory and a tenth of this time. */
const LIMIT_MS = 10_000;
/** Kept small: the whole process waits while a full heap is cleared. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

const TOO_MUCH: CalendarAnswer = { error: "too_much" };

/** The busy times, one part per day in India. Transfers `bytes` to the thread. Throws CalendarError. */
export async function parseCalendar(
  bytes: Uint8Array<ArrayBuffer>,
  query: BusyQuery,
  stop: AbortSignal,
): Promise<BusyPart[]> {
  const answer = await work({ bytes, ...query }, stop);
  if ("error" in answer) throw new CalendarError(answer.error);
  return answer.parts;
}

async function work(job: CalendarJob, stop: AbortSignal): Promise<CalendarAnswer> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
  if (signal.aborted) return TOO_MUCH;
  const thread = new Worker(
    threadFile(import.meta.url, "calendar-thread", "./calendar-thread.ts"),
    { workerData: job, transferList: [job.bytes.buffer], resourceLimits: RESOURCE_LIMITS },
  );
  thread.unref();
  try {
    return await new Promise<CalendarAnswer>((resolve, reject) => {
      thread.once("message", resolve);
      // Never removed: out of memory may be reported while the thread is being terminated.
      thread.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(TOO_MUCH);
        else reject(error);
      });
      thread.once("exit", () => resolve(TOO_MUCH));
      signal.addEventListener("abort", () => resolve(TOO_MUCH), { once: true });
    });
  } finally {
    await thread.terminate();
  }
}
