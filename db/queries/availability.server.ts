import { dateInIndia, daysBetween, instantOf } from "#app/model/dates.ts";
import type { DayPlan, Span } from "#app/model/day-plan.ts";
import { storedTimes } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";

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
  const firstMidnight = instantOf(from);
  const taken = db.allRaw<Span>(
    `SELECT starts_at AS startsAt, ends_at AS endsAt FROM session_time
     WHERE counselor_key = ? AND starts_at > ? AND starts_at < ?
       AND (held_until IS NULL OR held_until > ?) AND appointment_id <> ?`,
    [counselorKey, firstMidnight - LONGEST, instantOf(to) + DAY, now, exceptAppointment],
  );
  const plans = Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, day) => ({
    date: dateInIndia(firstMidnight + day * DAY),
    setTimes: null as string[] | null,
    blocked: [] as string[],
    taken: [] as Span[],
  }));
  // By arithmetic: making a date's text for every row takes longer than reading the rows.
  const planAt = (instant: number) => plans[Math.floor((instant - firstMidnight) / DAY)];
  for (const row of set) {
    const plan = planAt(instantOf(row.on_date));
    if (plan) plan.setTimes = storedTimes(row.time_slots);
  }
  for (const row of blocked) planAt(instantOf(row.on_date))?.blocked.push(row.time_slot);
  for (const span of taken) planAt(span.startsAt)?.taken.push(span);
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
