/** What is set, blocked and taken for a counselor: the facts the slot rules work on. */
import type { DayPlan } from "#app/availability/slots.ts";
import { addDays, dateInIndia, instantOf } from "#app/lib/dates.ts";
import type { Db } from "../connection.server.ts";

const DAY = 86_400_000;
/** Longest session the schema admits, so that one begun before midnight is seen. */
const LONGEST = 4 * 3_600_000;

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
  const set = db.allRaw<{ on_date: string; time_slots: string }>(
    `SELECT on_date, time_slots FROM availability
     WHERE counselor_key = ? AND on_date BETWEEN ? AND ?`,
    [counselorKey, from, to],
  );
  const blocked = db.allRaw<{ on_date: string; time_slot: string }>(
    `SELECT on_date, time_slot FROM block WHERE counselor_key = ? AND on_date BETWEEN ? AND ?`,
    [counselorKey, from, to],
  );
  const firstInstant = instantOf(from);
  const taken = db.allRaw<{ startsAt: number; endsAt: number }>(
    `SELECT starts_at AS startsAt, ends_at AS endsAt FROM session_time
     WHERE counselor_key = ? AND starts_at > ? AND starts_at < ?
       AND (held_until IS NULL OR held_until > ?) AND appointment_id <> ?`,
    [counselorKey, firstInstant - LONGEST, instantOf(to) + DAY, now, exceptAppointment],
  );
  const setByDate = new Map(set.map((row) => [row.on_date, row.time_slots]));
  const blockedByDate = groupBy(blocked, (row) => row.on_date);
  const takenByDate = groupBy(taken, (span) => dateInIndia(span.startsAt));
  const plans: DayPlan[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const times = setByDate.get(date);
    plans.push({
      date,
      setTimes: times === undefined ? null : (JSON.parse(times) as string[]),
      blocked: (blockedByDate.get(date) ?? []).map((row) => row.time_slot),
      taken: takenByDate.get(date) ?? [],
    });
  }
  return plans;
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

function groupBy<T>(rows: T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Raised by every change of what is offered, also by another process. */
export function readOfferVersion(db: Db): number {
  return db.firstRaw<{ version: number }>("SELECT version FROM offer_version")!.version;
}

/** When the next unpaid hold ends, milliseconds UTC; null if none runs. */
export function nextHoldEnd(db: Db, now: number): number | null {
  return db.firstRaw<{ at: number | null }>(
    "SELECT min(held_until) AS at FROM session_time WHERE held_until > ?",
    [now],
  )!.at;
}
