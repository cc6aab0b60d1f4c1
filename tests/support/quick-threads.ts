/**
 * Does the work of a thread here. A real one loads its sources anew, which takes a second of work: those
 * are tested in db/backup.server.test.ts, app/availability/calendar-parser.server.test.ts and
 * app/auth/password-strength.server.test.ts.
 */
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
import { Piscina } from "piscina";
import { afterAll, beforeAll, vi } from "vitest";
import type { PasswordJob } from "#app/auth/password-thread.ts";
import { busyTimes, dayParts } from "#app/availability/busy-times.ts";
import type { CalendarError } from "#app/availability/calendar-rules.ts";
import type { CalendarAnswer, CalendarJob } from "#app/availability/calendar-thread.ts";
import { checkCopy } from "#db/backup.server.ts";

const { Worker } = threads;

/** For the tests of the file: copies are checked here. */
export const quickCopies = () => quickThreads("backup-check", checkCopy);

/** For the tests of the file: calendars are worked out here. */
export const quickCalendars = () => quickThreads("calendar-thread", readCalendar);

/** For the tests of the file: a password is easily guessed by its first word, or by the person's own. */
export const quickPasswords = () =>
  beforeAll(() => void vi.spyOn(Piscina.prototype, "run").mockImplementation(isEasilyGuessed));

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

async function isEasilyGuessed({ password, ownWords }: PasswordJob): Promise<boolean> {
  return password.startsWith("password") || ownWords.includes(password);
}

function readCalendar({ bytes, ...query }: CalendarJob): CalendarAnswer {
  try {
    return { parts: dayParts(busyTimes(new TextDecoder().decode(bytes), query)) };
  } catch (error) {
    return { error: (error as CalendarError).code };
  }
}
