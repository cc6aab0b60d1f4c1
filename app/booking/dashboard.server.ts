/** What staff see beside the list: the next sessions, the calendar, and what needs attention. */
import { bookableTimes } from "#app/availability/slots.ts";
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { readRestored } from "#app/documents/issue.server.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import { addDays, DAY, dateInIndia, instantOf, MINUTE, timeInIndia } from "#app/model/dates.ts";
import { type Leave, LONGEST_SESSION_MINUTES, type Span } from "#app/model/day-plan.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findAppointment,
  listCounselorSessions,
  listSessionsOn,
} from "#db/queries/appointments.server.ts";
import { listLiveSessionsBetween, readDayPlans } from "#db/queries/availability.server.ts";
import { listCallingForHelp } from "#db/queries/help-calls.server.ts";
import { listFailedMessages } from "#db/queries/messages.server.ts";
import { listRefundsForPerson, listUnmatchedPayments } from "#db/queries/payments.server.ts";
import { listUnconfirmed } from "#db/queries/preparation.server.ts";
import { countMissingAttendance, listMissingAttendance } from "#db/queries/reminders.server.ts";
import { listFallenBack } from "#db/queries/session-rooms.server.ts";
import { readSetting } from "#db/queries/settings.server.ts";
import { readPressure } from "./holds.server.ts";

export const MOST_READ = 50;
const SESSIONS_SHOWN = 3;
/** Failed messages older than this are not listed. */
const MESSAGE_AGE = 14 * DAY;
/** Larger counts are shown as more than this. */
export const MOST_COUNTED = 999;

/**
 * Paid sessions of today and tomorrow in India by start time, past ones included, for every active
 * captain and any other who has one.
 */
export function readNextDays({ db, now }: Pick<Deps, "db" | "now">) {
  const today = dateInIndia(now());
  const days = [today, addDays(today, 1)].map((date) => ({ date, all: listSessionsOn(db, date) }));
  const names = new Map<string, string>();
  for (const { key, name, active } of readCatalogue(db).counselors) {
    if (active) names.set(key, name);
  }
  for (const one of days.flatMap(({ all }) => all)) names.set(one.counselorKey, one.counselor);
  return [...names].map(([key, name]) => ({
    name,
    days: days.map(({ date, all }) => ({
      date,
      sessions: all.filter(({ counselorKey }) => counselorKey === key),
    })),
  }));
}

/**
 * A captain's own paid sessions. `next` is the current or next one; `fromToday` has today's, past
 * ones included, and later ones; `withoutAttendance` has those before today, latest first.
 */
export function readOwnSessions({ db, now }: Pick<Deps, "db" | "now">, counselorKey: string) {
  const at = now();
  const today = instantOf(dateInIndia(at));
  const own = listCounselorSessions(db, counselorKey, today, MOST_READ);
  const fromToday = own.map(({ appointment }) => appointment);
  const ended = { since: attendanceSince(db), until: today, counselorKey };
  return {
    next: fromToday.find(({ endsAt }) => endsAt > at) ?? null,
    fromToday,
    withoutAttendance: listMissingAttendance(db, ended, MOST_READ),
  };
}

export type Attention = ReturnType<typeof readAttention>;

/** What needs attention: of most kinds at most `MOST_READ`. */
export function readAttention({ db, env, now }: ReadDeps) {
  const ended = { since: attendanceSince(db), until: now() };
  return {
    refunds: listRefundsForPerson(db, MOST_READ),
    messages: listFailedMessages(db, now() - MESSAGE_AGE, MOST_READ),
    unmatched: listUnmatchedPayments(db).slice(0, MOST_READ),
    withoutAttendance: {
      total: countMissingAttendance(db, ended, MOST_COUNTED + 1),
      newest: listMissingAttendance(db, ended, SESSIONS_SHOWN),
      /** Since when attendance is asked for; 0 means always. */
      since: ended.since,
    },
    /** Sessions in which one side reported that the other is not there. */
    callingForHelp: listCallingForHelp(db, MOST_READ),
    /** Future sessions at the captain's fallback link, because Zoom made no room. */
    withoutRoom: listFallenBack(db, now(), MOST_READ).map((id) => findAppointment(db, id)!),
    /** Sessions in the next 24 hours for a student under 18 that no guardian has confirmed. */
    unconfirmed: listUnconfirmed(db, { after: now(), until: now() + DAY }, MOST_READ),
    /** A restore that the owner has not reviewed yet. */
    restored: readRestored(db),
    underPressure: readCatalogue(db).counselors.flatMap(({ key, name }) => {
      const pressure = readPressure(db, env, key, now());
      return pressure ? [{ ...pressure, counselor: name }] : [];
    }),
  };
}

function attendanceSince(db: Db): number {
  return Number(readSetting(db, "attendance_since") ?? 0);
}

// The calendar: what is offered, blocked, busy, off and booked, day by day.

export type CounselorDay = ReturnType<typeof readCalendar>[number]["counselors"][number];
export type BusyTime = CounselorDay["busy"][number];

/** Every date from `from` to `to`, both inclusive. A month takes as many queries as a day. */
export function readCalendar(
  deps: ReadDeps,
  { counselors, from, to }: { counselors: readonly Counselor[]; from: string; to: string },
) {
  const { db, env } = deps;
  const now = deps.now();
  const booked = new Set(readBookable(deps).counselors.map(({ key }) => key));
  const columns = counselors.map(({ key, name }) => {
    const sessions = Map.groupBy(
      listLiveSessionsBetween(db, { counselorKey: key, from, to }, now),
      ({ date }) => date,
    );
    return readDayPlans(db, key, from, to, now).map((plan) => ({
      date: plan.date,
      day: {
        key,
        name,
        /** Start times that fit any package; empty for a captain who cannot be booked. */
        offered: booked.has(key) ? bookableTimes(plan, LONGEST_SESSION_MINUTES, env, now) : [],
        blocked: plan.blocked.toSorted((a, b) => a.timeSlot.localeCompare(b.timeSlot)),
        busy: plan.busy.toSorted((a, b) => a.startsAt - b.startsAt).map(busyTime),
        leave: plan.leave[0] ? leaveOf(plan.leave[0]) : null,
        /** Paid or held sessions by start time. */
        sessions: sessions.get(plan.date) ?? [],
      },
    }));
  });
  return (columns[0] ?? []).map(({ date }, i) => ({
    date,
    counselors: columns.map((days) => days[i]!.day),
  }));
}

const leaveOf = ({ from, to, reason }: Leave) => ({ from, to, reason });

/**
 * `HH:mm` in India, rounded outwards to whole minutes; `24:00` is the end of the day, at which busy
 * times are stored cut.
 */
function busyTime({ startsAt, endsAt }: Span) {
  const to = timeInIndia(endsAt + MINUTE - 1);
  return { from: timeInIndia(startsAt), to: to === "00:00" ? "24:00" : to };
}
