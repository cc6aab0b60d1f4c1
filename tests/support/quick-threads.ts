/**
 * Does the work of a thread here. A real one loads its sources anew, which takes a second of work: those
 * are tested in db/backup.server.test.ts and app/availability/calendar-parser.server.test.ts.
 */
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
import { Piscina } from "piscina";
import { afterAll, beforeAll, vi } from "vitest";
import { busyTimes, dayParts } from "#app/availability/busy-times.ts";
import type { CalendarError } from "#app/availability/calendar-rules.ts";
import type { CalendarAnswer, CalendarJob } from "#app/availability/calendar-thread.ts";
import { checkCopy } from "#db/backup.server.ts";

const { Worker } = threads;

/** For the tests of the file: copies are checked here. */
export const quickCopies = () => quickThreads("backup-check", checkCopy);

/** For the tests of the file: calendars are worked out here. */
export const quickCalendars = () => quickThreads("calendar-thread", readCalendar);

/** For the tests of the file: no password is easily guessed. */
export const quickPasswords = () =>
  beforeAll(() => void vi.spyOn(Piscina.prototype, "run").mockResolvedValue(false));

function quickThreads<Data>(entry: string, work: (data: Data) => unknown): void {
  const standIn = new Proxy(Worker, {
    construct(real, given) {
      const [file, options] = given;
      if (!String(file).includes(entry)) return Reflect.construct(real, given);
      return new QuickThread(() => work(options.workerData));
    },
  });
  beforeAll(() => use(standIn));
  afterAll(() => use(Worker));
}

function use(worker: typeof Worker): void {
  Object.assign(threads, { Worker: worker });
  syncBuiltinESMExports();
}

class QuickThread extends EventEmitter {
  constructor(work: () => unknown) {
    super();
    setImmediate(() => this.emit("message", work()));
  }

  unref(): void {}

  async terminate(): Promise<void> {}
}

function readCalendar({ bytes, ...query }: CalendarJob): CalendarAnswer {
  try {
    return { parts: dayParts(busyTimes(new TextDecoder().decode(bytes), query)) };
  } catch (error) {
    return { error: (error as CalendarError).code };
  }
}
