/** Which times are set, blocked and taken. */
import { sql } from "kysely";
import { dateInIndia, daysBetween, instantOf } from "#app/model/dates.ts";
import type { DayPlan, Span } from "#app/model/day-plan.ts";
import { storedTimes } from "#app/model/stored-json.ts";
import { LONGEST_SESSION_MS } from "#app/model/time-slot.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import { prepare } from "#db/prepared-query.ts";
import { isKept } from "./appointments.server.ts";

const DAY = 86_400_000;

const setTimes = sqlite.selectFrom("availability").select(["on_date", "time_slots"]);
const blocks = sqlite.selectFrom("block");

type Dates = { counselorKey: string; from: string; to: string };

const setBetween = prepare<Dates>()((value) =>
  setTimes
    .where("counselor_key", "=", value("counselorKey"))
    .where("on_date", ">=", value("from"))
    .where("on_date", "<=", value("to")),
);

const blockedBetween = prepare<Dates>()((value) =>
  blocks
    .select(["on_date", "time_slot"])
    .where("counselor_key", "=", value("counselorKey"))
    .where("on_date", ">=", value("from"))
    .where("on_date", "<=", value("to")),
);

type Instants = {
  counselorKey: string;
  after: number;
  before: number;
  now: number;
  exceptAppointment: string;
};

const takenBetween = prepare<Instants>()((value) =>
  sqlite
    .selectFrom("session_time")
    .select(["starts_at as startsAt", "ends_at as endsAt"])
    .where("counselor_key", "=", value("counselorKey"))
    .where("starts_at", ">", value("after"))
    .where("starts_at", "<", value("before"))
    .where(isKept(value("now")))
    .where("appointment_id", "<>", value("exceptAppointment")),
);

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
  const plans = Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => ({
    date: dateInIndia(firstMidnight + day * DAY),
    setTimes: null as string[] | null,
    blocked: [] as string[],
    taken: [] as Span[],
  }));
  // By arithmetic: making a date's text for every row takes longer than reading the rows.
  const planAt = (instant: number) => plans[Math.floor((instant - firstMidnight) / DAY)];
  const dates = { counselorKey, from, to };
  for (const row of setBetween.all(db, dates)) {
    const plan = planAt(instantOf(row.on_date));
    if (plan) plan.setTimes = storedTimes(row.time_slots);
  }
  for (const row of blockedBetween.all(db, dates)) {
    planAt(instantOf(row.on_date))?.blocked.push(row.time_slot);
  }
  const after = firstMidnight - LONGEST_SESSION_MS;
  const before = instantOf(to) + DAY;
  const taken = takenBetween.all(db, { counselorKey, after, before, now, exceptAppointment });
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
  // Every request asks it: building the query would take longer than running it.
  return db.firstRaw<{ version: number }>("SELECT version FROM offer_version")!.version;
}

/** When the next unpaid hold ends, milliseconds UTC; null if none runs. */
export function nextHoldEnd(db: Db, now: number): number | null {
  // Asked as often as the offer's version.
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

/** A time blocked already takes the newer reason, unless there is none. */
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

export interface Block {
  timeSlot: string;
  reason: string | null;
}

export function listBlocks(db: Db, counselorKey: string, date: string): Block[] {
  return db.all(
    blocks
      .select(["time_slot as timeSlot", "reason"])
      .where("counselor_key", "=", counselorKey)
      .where("on_date", "=", date)
      .orderBy("time_slot"),
  );
}

/** The list set for a date, or null where the default times hold. */
export function findSetTimes(db: Db, counselorKey: string, date: string): string[] | null {
  const ofDate = setTimes.where("counselor_key", "=", counselorKey).where("on_date", "=", date);
  const row = db.first(ofDate);
  return row ? storedTimes(row.time_slots) : null;
}

export type LiveSession = ReturnType<typeof listLiveSessions>[number];

/** Appointments that keep their time on a date: paid, or within their hold. */
export function listLiveSessions(db: Db, counselorKey: string, date: string, now: number) {
  return db.all(
    sqlite
      .selectFrom("appointment as a")
      .innerJoin("session_time", "session_time.appointment_id", "a.id")
      .select(["a.id", "a.name", "a.on_date as date", "a.time_slot as timeSlot", "a.minutes"])
      .select(["a.status", "a.starts_at as startsAt", "a.ends_at as endsAt"])
      .where("a.counselor_key", "=", counselorKey)
      .where("a.on_date", "=", date)
      .where(isKept(now))
      .orderBy("a.starts_at"),
  );
}
