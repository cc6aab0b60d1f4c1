/** What the dashboard shows beside the list: the next sessions, and what needs a person. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type RestoredCopy, readRestored } from "#app/documents/restored.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, dateInIndia, instantOf } from "#app/model/dates.ts";
import type { Message } from "#app/model/messages.ts";
import type { Db } from "#db/connection.server.ts";
import { listCounselorSessions, listSessionsOn } from "#db/queries/appointments.server.ts";
import { listFailedMessages } from "#db/queries/messages.server.ts";
import {
  listRefundsForPerson,
  listUnmatchedPayments,
  type Payment,
  type StoredRefund,
} from "#db/queries/payments.server.ts";
import { countMissingAttendance, listMissingAttendance } from "#db/queries/reminders.server.ts";
import { readSetting } from "#db/queries/settings.server.ts";
import { readPressure } from "./holds.server.ts";
import type { Pressure } from "./pressure.ts";

const MOST_SHOWN = 50;
const SESSIONS_SHOWN = 3;
/** One more stands for any number above it. */
export const MOST_COUNTED = 999;

export interface CaptainDays {
  name: string;
  /** Today and tomorrow in India. */
  days: [SessionDay, SessionDay];
}

interface SessionDay {
  /** `yyyy-MM-dd` in India. */
  date: string;
  /** Paid sessions in the order of their times, those that are over included. */
  sessions: Appointment[];
}

/** Of every captain of the page, and of others who have a session. */
export function readNextDays({ db, now }: Pick<Deps, "db" | "now">): CaptainDays[] {
  const today = dateInIndia(now());
  const days = [today, addDays(today, 1)].map((date) => ({ date, all: listSessionsOn(db, date) }));
  const names = new Map<string, string>();
  for (const { key, name, active } of readCatalogue(db).counselors) {
    if (active) names.set(key, name);
  }
  for (const one of days.flatMap(({ all }) => all)) names.set(one.counselorKey, one.counselor);
  return [...names].map(([key, name]) => {
    const [first, second] = days.map(({ date, all }) => ({
      date,
      sessions: all.filter(({ counselorKey }) => counselorKey === key),
    }));
    return { name, days: [first!, second!] };
  });
}

/** Of a captain's own sessions. */
export interface OwnSessions {
  /** On, or the next one. */
  next: Appointment | null;
  /** Those of today, the ones that are over included, and the next ones that come. */
  fromToday: Appointment[];
  /** Those of before today without a word whether they took place, the latest first. */
  withoutAttendance: Appointment[];
}

/** Paid ones. */
export function readOwnSessions(
  { db, now }: Pick<Deps, "db" | "now">,
  counselorKey: string,
): OwnSessions {
  const at = now();
  const today = instantOf(dateInIndia(at));
  const own = listCounselorSessions(db, counselorKey, today, MOST_SHOWN);
  const fromToday = own.map(({ appointment }) => appointment);
  const ended = { since: attendanceSince(db), until: today, counselorKey };
  return {
    next: fromToday.find(({ endsAt }) => endsAt > at) ?? null,
    fromToday,
    withoutAttendance: listMissingAttendance(db, ended, MOST_SHOWN),
  };
}

export interface Attention {
  /** Failed, or tried too often. */
  refunds: StoredRefund[];
  /** Parked messages, newest first. */
  messages: Message[];
  unmatched: Payment[];
  /** Sessions that are over, without a word whether they took place. */
  withoutAttendance: {
    /** At most MOST_COUNTED + 1. */
    total: number;
    newest: Appointment[];
    /** Instant since which that is asked; 0: always. */
    since: number;
  };
  /** A restore that was not looked through. */
  restored: RestoredCopy | null;
  /** Captains, by name, whose calendars are under pressure. */
  pressed: (Pressure & { counselor: string })[];
}

/** At most 50 of each kind. */
export function readAttention({ db, env, now }: Pick<Deps, "db" | "env" | "now">): Attention {
  return {
    refunds: listRefundsForPerson(db, MOST_SHOWN),
    messages: listFailedMessages(db, MOST_SHOWN),
    unmatched: listUnmatchedPayments(db).slice(0, MOST_SHOWN),
    withoutAttendance: readMissing(db, now()),
    restored: readRestored(db),
    pressed: readCatalogue(db).counselors.flatMap(({ key, name }) => {
      const pressure = readPressure(db, env, key, now());
      return pressure ? [{ ...pressure, counselor: name }] : [];
    }),
  };
}

function attendanceSince(db: Db): number {
  return Number(readSetting(db, "attendance_since") ?? 0);
}

function readMissing(db: Db, until: number): Attention["withoutAttendance"] {
  const since = attendanceSince(db);
  const ended = { since, until };
  return {
    total: countMissingAttendance(db, ended, MOST_COUNTED + 1),
    newest: listMissingAttendance(db, ended, SESSIONS_SHOWN),
    since,
  };
}
