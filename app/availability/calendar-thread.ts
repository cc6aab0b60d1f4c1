/** The thread's entry: reads the text of a calendar and posts its busy times, one part per day. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerOwnThread } from "#app/core/threads.server.ts";
import { type BusyPart, type BusyQuery, busyTimes, dayParts } from "./busy-times.ts";
import { CalendarError, type CalendarErrorCode } from "./calendar-rules.ts";

export interface CalendarJob extends BusyQuery {
  /** UTF-8. */
  bytes: Uint8Array<ArrayBuffer>;
}

export type CalendarAnswer = { parts: BusyPart[] } | { error: CalendarErrorCode };

lowerOwnThread();
parentPort?.postMessage(read(workerData as CalendarJob));

function read({ bytes, ...query }: CalendarJob): CalendarAnswer {
  try {
    return { parts: dayParts(busyTimes(new TextDecoder().decode(bytes), query)) };
  } catch (error) {
    if (error instanceof CalendarError) return { error: error.code };
    throw error;
  }
}
