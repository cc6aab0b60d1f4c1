/** Works calendars out on a thread with limits of its own: a hostile one stops nothing else. */
import { oneThread } from "#app/core/one-thread.server.ts";
import type { BusyPart, BusyQuestion } from "./busy-times.ts";
import { CalendarError } from "./calendar-errors.ts";
import type { CalendarAnswer, CalendarJob } from "./calendar-thread.ts";

const thread = oneThread<CalendarJob, CalendarAnswer>({
  base: import.meta.url,
  built: "calendar-thread",
  source: "./calendar-thread.ts",
  // Ten thousand events take half. Little, for the process waits while a full one is cleared away.
  megabytes: 64,
});

/** The busy times by days in India; `bytes` are empty then. Throws CalendarError. */
export async function parseCalendar(
  bytes: Uint8Array<ArrayBuffer>,
  question: BusyQuestion,
  stop: AbortSignal,
): Promise<BusyPart[]> {
  const answer = await thread.run({ bytes, ...question }, { stop, transfer: [bytes.buffer] });
  if (!answer) throw new CalendarError("too_much");
  if ("error" in answer) throw new CalendarError(answer.error);
  const { parts } = answer;
  return Array.from({ length: parts.length / 3 }, (_, index) => ({
    startsAt: parts[3 * index]!,
    endsAt: parts[3 * index + 1]!,
    isLast: parts[3 * index + 2] === 1,
  }));
}
