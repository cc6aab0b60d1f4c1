/** Works calendars out on a thread with limits of its own: a hostile one stops nothing else. */
import { Piscina } from "piscina";
import { threadFile } from "#app/core/thread-file.server.ts";
import { NICENESS } from "#app/core/thread-priority.server.ts";
import type { BusyPart, BusyQuestion } from "./busy-times.ts";
import { CalendarError } from "./calendar-errors.ts";
import type { CalendarAnswer, CalendarJob } from "./calendar-thread.ts";

/** Ten thousand events take half of the memory and a tenth of the time. */
const LIMIT_MS = 10_000;
/** Little, for the whole process waits while a full one is cleared away. */
const THREAD_MB = 64;
/** Calendars that wait for the one thread; what waits counts into its time. */
const MOST_WAITING = 16;
const IDLE_MS = 2_000;

let pool: Piscina<CalendarJob, CalendarAnswer> | null = null;

/** The busy times by days in India; `bytes` are empty then. Throws CalendarError. */
export async function parseCalendar(
  bytes: Uint8Array<ArrayBuffer>,
  question: BusyQuestion,
  stop: AbortSignal,
): Promise<BusyPart[]> {
  pool ??= openPool();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
  // A thread that is ended for its time or memory, or a queue that is full, is no other error.
  const answer = await pool
    .run({ bytes, ...question }, { signal, transferList: [bytes.buffer] })
    .catch(() => ({ error: "too_much" as const }));
  if ("error" in answer) throw new CalendarError(answer.error);
  const { parts } = answer;
  return Array.from({ length: parts.length / 3 }, (_, index) => ({
    startsAt: parts[3 * index]!,
    endsAt: parts[3 * index + 1]!,
    isLast: parts[3 * index + 2] === 1,
  }));
}

/** The thread starts with the first calendar and ends when idle; it never keeps the process alive. */
function openPool(): Piscina<CalendarJob, CalendarAnswer> {
  return new Piscina<CalendarJob, CalendarAnswer>({
    filename: threadFile(import.meta.url, "calendar-thread", "./calendar-thread.ts"),
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MOST_WAITING,
    idleTimeout: IDLE_MS,
    // A thread that waits in an atomic wait cannot end by itself.
    atomics: "disabled",
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 8 },
    niceIncrement: NICENESS,
  });
}
