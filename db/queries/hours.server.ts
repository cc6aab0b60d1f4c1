/** Weekly hours, leave, the sessions that either may touch, and the time that a live appointment occupies. */
import { expressionBuilder, type InferResult } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { LONGEST_SESSION_MS, type SessionTime, type Week } from "#app/model/day-plan.ts";
import { storedWeek } from "#app/model/stored-json.ts";
import { deleteBy, findBy, insertInto, replaceIn } from "#db/by-column.ts";
import { type Db, isSlotTaken, sqlite } from "#db/connection.server.ts";
import { prepare } from "#db/prepared-query.ts";
import type { Tables } from "#db/tables.ts";
import { readable } from "./appointments.server.ts";

const times = expressionBuilder<Tables, "session_time">();

export interface Hours {
  /** Null: the default times hold. */
  week: Week | null;
  bufferMinutes: number;
  version: number;
}

const findStoredHours = findBy("weekly_hours", "counselor_key");
const replaceHours = replaceIn("weekly_hours");

/** Of a counselor for whom nothing was set: default times, no buffer, version 1. */
export function findHours(db: Db, counselorKey: string): Hours {
  const row = findStoredHours(db, counselorKey);
  if (!row) return { week: null, bufferMinutes: 0, version: 1 };
  const { week, bufferMinutes, version } = row;
  return { week: week === null ? null : storedWeek(week), bufferMinutes, version };
}

export function saveHours(tx: Db, counselorKey: string, hours: Hours): void {
  replaceHours(tx, { counselorKey, ...hours, week: hours.week && JSON.stringify(hours.week) });
}

const leave = sqlite
  .selectFrom("leave")
  .select(["id", "counselor_key as counselorKey", "from_date as from", "to_date as to", "reason"]);

/** Without a counselor it is of all. */
export type LeaveEntry = InferResult<typeof leave>[number];

/** Those that end on `since` or later, the earliest first; with a counselor, theirs and of all. */
export function listLeave(db: Db, since: string, counselorKey?: string): LeaveEntry[] {
  const coming = leave.where("to_date", ">=", since).orderBy("from_date").orderBy("id");
  const all = db.all(coming);
  if (counselorKey === undefined) return all;
  return all.filter((entry) => [null, counselorKey].includes(entry.counselorKey));
}

export function findLeave(db: Db, id: string): LeaveEntry | null {
  return db.first(leave.where("id", "=", id));
}

const insertDays = insertInto("leave");

export function insertLeave(tx: Db, { from, to, ...same }: LeaveEntry, now: number): void {
  insertDays(tx, { ...same, fromDate: from, toDate: to, createdAt: now });
}

export const deleteLeave = deleteBy("leave", "id");

export type FutureSession = ReturnType<typeof listFutureSessions>[number];

const futureSessions = prepare<{ now: number }>()((value) =>
  sqlite
    .selectFrom("counselor as c")
    .innerJoin("session_time", "session_time.counselor_key", "c.key")
    .innerJoin("appointment as a", "a.id", "session_time.appointment_id")
    .select(["a.id", "a.name", "a.on_date as date", "a.time_slot as timeSlot", "a.minutes"])
    .select(["a.status", "a.version", "a.starts_at as startsAt", "a.ends_at as endsAt"])
    .select(["a.counselor_key as counselorKey", "c.name as counselor"])
    .select("a.calendar_uid as calendarUid")
    .where("session_time.starts_at", ">", value("now"))
    .where(isKept(value("now")))
    .orderBy("session_time.starts_at"),
);

/** Appointments that keep their time, paid or held, and are still to begin. */
export function listFutureSessions(db: Db, now: number) {
  return futureSessions.all(db, { now }).map(readable);
}

const keptClashes = prepare<{ now: number }>()((value) =>
  sqlite
    .selectFrom("kept_clash as k")
    .innerJoin("appointment as a", (join) =>
      join
        .onRef("a.id", "=", "k.appointment_id")
        .onRef("a.counselor_key", "=", "k.counselor_key")
        .onRef("a.starts_at", "=", "k.starts_at"),
    )
    .select(["a.id", "k.counselor_key as counselorKey", "k.starts_at as startsAt", "k.cause"])
    .where("k.starts_at", ">", value("now")),
);

export function listKeptClashes(db: Db, now: number) {
  return keptClashes.all(db, { now });
}

type KeptClash = ReturnType<typeof listKeptClashes>[number];

const replaceKept = replaceIn("kept_clash");

export function insertKeptClash(
  tx: Db,
  { id, by, ...same }: KeptClash & { by: string },
  now: number,
): void {
  replaceKept(tx, { ...same, appointmentId: id, keptBy: by, keptAt: now });
}

/** In spite of one cause, of all the captain's sessions or of one. */
export function deleteKeptClash(
  tx: Db,
  { counselorKey, cause, id }: Pick<KeptClash, "counselorKey" | "cause"> & { id?: string },
): void {
  const kept = sqlite.deleteFrom("kept_clash").where("counselor_key", "=", counselorKey);
  const ofCause = kept.where("cause", "=", cause);
  tx.run(id === undefined ? ofCause : ofCause.where("appointment_id", "=", id));
}

/** A session that moves keeps nothing of what was kept on purpose. */
export const deleteKeptClashes = deleteBy("kept_clash", "appointment_id");

type TakenTime = Pick<Appointment, "id" | "counselorKey" | "startsAt" | "endsAt">;

const sweep = prepare<TakenTime & { earliest: number; now: number }>()((value) =>
  sqlite
    .deleteFrom("session_time")
    .where("counselor_key", "=", value("counselorKey"))
    .where("starts_at", "<", value("endsAt"))
    .where("starts_at", ">", value("earliest"))
    .where("ends_at", ">", value("startsAt"))
    .where("held_until", "<=", value("now"))
    .where("appointment_id", "<>", value("id")),
);

const take = replaceIn("session_time");

/**
 * Takes the appointment's time, or moves its own to it: until its window's end, or for good without
 * one; false if another live session overlaps. Ended holds in the way are swept first; the schema's
 * trigger is what refuses.
 */
export function takeTime(
  tx: Db,
  appointment: SessionTime & Pick<Appointment, "id" | "window">,
  now: number,
): boolean {
  const { id, counselorKey, startsAt, endsAt, window } = appointment;
  const time = { counselorKey, startsAt, endsAt };
  sweep.run(tx, { id, ...time, earliest: startsAt - LONGEST_SESSION_MS, now });
  try {
    take(tx, { appointmentId: id, ...time, heldUntil: window?.holdUntil ?? null });
    return true;
  } catch (error) {
    if (isSlotTaken(error)) return false;
    throw error;
  }
}

export const releaseTime = deleteBy("session_time", "appointment_id");

/** Of a time that is taken: it is paid, or held past `now`. */
export function isKept(now: number) {
  const heldUntil = times.ref("session_time.held_until");
  return times.or([times(heldUntil, "is", null), times(heldUntil, ">", now)]);
}

/** True while the appointment keeps its time: paid, or within its hold. */
export function holdsTime(db: Db, appointmentId: string, now: number): boolean {
  const own = sqlite.selectFrom("session_time").where("appointment_id", "=", appointmentId);
  return db.has(own.select("appointment_id").where(isKept(now)));
}
