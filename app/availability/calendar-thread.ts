/** The thread's entry: the text of a calendar in, its busy times by days out. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerOwnThread } from "#app/core/threads.server.ts";
import { type BusyPart, type BusyQuestion, busyTimes, dayParts } from "./busy-times.ts";
import { CalendarError, type CalendarErrorCode } from "./calendar-rules.ts";

export interface CalendarJob extends BusyQuestion {
  /** UTF-8. */
  bytes: Uint8Array<ArrayBuffer>;
}

export type CalendarAnswer = { parts: BusyPart[] } | { error: CalendarErrorCode };

lowerOwnThread();
parentPort?.postMessage(read(workerData as CalendarJob));

function read({ bytes, ...question }: CalendarJob): CalendarAnswer {
  try {
    return { parts: dayParts(busyTimes(new TextDecoder().decode(bytes), question)) };
  } catch (error) {
    if (error instanceof CalendarError) return { error: error.code };
    throw error;
  }
}
