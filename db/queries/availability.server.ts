/** Which times are set, blocked and taken. */
import { sql } from "kysely";
import type { Appointment, Contact } from "#app/model/appointment.ts";
import { DAY, dateInIndia, daysBetween, instantOf } from "#app/model/dates.ts";
import {
  type Block,
  type DayPlan,
  type Leave,
  type SessionTime,
  type Span,
  weekdayNameOf,
} from "#app/model/day-plan.ts";
import { storedTimes, storedWeek } from "#app/model/stored-json.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import { IS_KEPT } from "./hours.server.ts";

type Dates = { counselorKey: string; from: string; to: string };

/** `text` is the times as JSON, the time of a block, or the id of a leave. */
interface Said {
  kind: "default" | "off" | "week" | "leave" | "set" | "block";
  text: string | null;
  minutes: number | null;
  from_date: string | null;
  to_date: string | null;
  reason: string | null;
}

/**
 * Everything about the dates except sessions and busy times, in one query: it runs for every visitor,
 * and one query per table would take twice as long. By hand: a union.
 */
const SAID = `SELECT 'default' AS kind, default_times AS text, NULL AS minutes,
    NULL AS from_date, NULL AS to_date, NULL AS reason FROM offer_settings
  UNION ALL SELECT 'off', NULL, NULL, NULL, NULL, NULL FROM counselor
    WHERE key = @counselorKey AND active = 0
  UNION ALL SELECT 'week', week, buffer_minutes, NULL, NULL, NULL FROM weekly_hours
    WHERE counselor_key = @counselorKey
  UNION ALL SELECT 'leave', id, NULL, from_date, to_date, reason FROM leave
    WHERE to_date >= @from AND from_date <= @to
      AND (counselor_key IS NULL OR counselor_key = @counselorKey)
  UNION ALL SELECT 'set', time_slots, NULL, on_date, NULL, NULL FROM availability
    WHERE counselor_key = @counselorKey AND on_date >= @from AND on_date <= @to
  UNION ALL SELECT 'block', time_slot, NULL, on_date, NULL, reason FROM block
    WHERE counselor_key = @counselorKey AND on_date >= @from AND on_date <= @to`;

const SPANS = `SELECT starts_at AS startsAt, ends_at AS endsAt, 'taken' AS what FROM session_time
    WHERE counselor_key = @counselorKey AND starts_at >= @since AND starts_at < @before
      AND ${IS_KEPT} AND appointment_id <> @exceptAppointment
  UNION ALL SELECT starts_at, ends_at, 'busy' FROM busy_time
    WHERE counselor_key = @counselorKey AND starts_at >= @since AND starts_at < @before`;

/**
 * The plans of every date from `from` to `to`, both inclusive. Sessions held past `now` or paid
 * count as taken, except that of `exceptAppointment` (the one being moved).
 */
export function readDayPlans(
  db: Db,
  counselorKey: string,
  from: string,
  to: string,
  now: number,
  exceptAppointment = "",
): DayPlan[] {
  const firstMidnight = instantOf(from);
  const said = db.allRaw<Said>(SAID, [{ counselorKey, from, to }]);
  const week = said.find(({ kind }) => kind === "week");
  const isOff = said.some(({ kind }) => kind === "off");
  const hours = week?.text ? weekOf(week.text) : null;
  const defaults = hours ? [] : defaultsOf(said[0]?.text ?? "");
  const plans = Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => {
    const date = dateInIndia(firstMidnight + day * DAY);
    return {
      date,
      isOff,
      setTimes: null as string[] | null,
      usualTimes: hours ? hours[weekdayNameOf(date)] : defaults,
      hasHours: hours !== null,
      bufferMinutes: week?.minutes ?? 0,
      blocked: [] as Block[],
      leave: [] as Leave[],
      busy: [] as Span[],
      taken: [] as Span[],
    };
  });
  // By arithmetic: formatting a date for every row takes longer than reading the rows.
  const planAt = (instant: number) => plans[Math.floor((instant - firstMidnight) / DAY)];
  for (const { kind, text, from_date, to_date, reason } of said) {
    if (text === null || from_date === null) continue;
    const plan = planAt(instantOf(from_date));
    if (kind === "set" && plan) plan.setTimes = storedTimes(text);
    if (kind === "block") plan?.blocked.push({ timeSlot: text, reason });
    if (kind !== "leave" || to_date === null) continue;
    const leave = { id: text, from: from_date, to: to_date, reason };
    for (const day of plans) {
      if (from_date <= day.date && day.date <= to_date) day.leave.push(leave);
    }
  }
  const before = firstMidnight + plans.length * DAY;
  const instants = { counselorKey, since: firstMidnight, before, now, exceptAppointment };
  for (const { what, ...span } of db.allRaw<Span & { what: "taken" | "busy" }>(SPANS, [instants])) {
    planAt(span.startsAt)?.[what].push(span);
  }
  return plans;
}

/** Every visitor's request reads the same few texts. */
const defaultsOf = onceForText((text) => storedTimes(text, "offer_settings.default_times"));
const weekOf = onceForText(storedWeek);

function onceForText<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? read(text);
    if (known.size >= 100) known.clear();
    known.set(text, value);
    return value;
  };
}

export function readDayPlan(
  db: Db,
  counselorKey: string,
  date: string,
  now: number,
  exceptAppointment = "",
): DayPlan {
  return readDayPlans(db, counselorKey, date, date, now, exceptAppointment)[0]!;
}

/** Raised by every change of what is offered, also by another process. */
export function readOfferVersion(db: Db): number {
  // Runs in every request: building the query would take longer than running it.
  return db.firstRaw<{ version: number }>("SELECT version FROM offer_version")!.version;
}

/** When the next unpaid hold ends; null if none runs. */
export function nextHoldEnd(db: Db, now: number): number | null {
  // Runs as often as the query for the offer's version.
  return db.firstRaw<{ at: number | null }>(
    "SELECT min(held_until) AS at FROM session_time WHERE held_until > ?",
    [now],
  )!.at;
}

/** Replaces the date's times; the list ascends. */
export function saveAvailability(
  tx: Db,
  counselorKey: string,
  date: string,
  timeSlots: readonly string[],
  now: number,
): void {
  const day = { counselor_key: counselorKey, on_date: date };
  const row = { ...day, time_slots: JSON.stringify(timeSlots), updated_at: now };
  tx.run(sqlite.replaceInto("availability").values(row));
}

/** True if a list was set for the date. */
export function deleteAvailability(tx: Db, counselorKey: string, date: string): boolean {
  const ofCounselor = sqlite.deleteFrom("availability").where("counselor_key", "=", counselorKey);
  return tx.run(ofCounselor.where("on_date", "=", date)) === 1;
}

/** A time that is already blocked gets the newer reason, if there is one. */
export function saveBlock(
  tx: Db,
  block: { counselorKey: string; date: string; timeSlot: string; reason: string | null },
  now: number,
): void {
  const time = { on_date: block.date, time_slot: block.timeSlot, reason: block.reason };
  const row = { ...time, counselor_key: block.counselorKey, created_at: now };
  const reason = sql<string | null>`coalesce(excluded.reason, reason)`;
  const insert = sqlite.insertInto("block").values(row);
  tx.run(insert.onConflict((conflict) => conflict.doUpdateSet({ reason })));
}

export function deleteBlock(tx: Db, counselorKey: string, date: string, timeSlot: string): void {
  const ofDay = sqlite.deleteFrom("block").where("counselor_key", "=", counselorKey);
  tx.run(ofDay.where("on_date", "=", date).where("time_slot", "=", timeSlot));
}

export type LiveSession = Omit<SessionTime, "counselorKey"> &
  Pick<Appointment, "id" | "status" | "attendance" | "version" | "calendarUid"> &
  Pick<Contact, "name">;

/** Appointments that keep their time, paid or within their hold; both dates inclusive, in order of time. */
export function listLiveSessionsBetween(db: Db, dates: Dates, now: number): LiveSession[] {
  // By hand: building it would take longer than running it.
  return db.allRaw(
    `SELECT a.id, a.name, a.on_date AS date, a.time_slot AS timeSlot, a.minutes, a.status,
       a.starts_at AS startsAt, a.ends_at AS endsAt, a.attendance, a.version,
       a.calendar_uid AS calendarUid
     FROM appointment a JOIN session_time ON appointment_id = a.id
     WHERE a.counselor_key = @counselorKey AND a.on_date >= @from AND a.on_date <= @to
       AND ${IS_KEPT} ORDER BY a.starts_at`,
    [{ ...dates, now }],
  );
}
