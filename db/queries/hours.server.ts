/** Weekly hours, leave, the sessions that either may touch, and the time that a live appointment occupies. */
import type { InferResult } from "kysely";
import type { Appointment, Contact } from "#app/model/appointment.ts";
import { LONGEST_SESSION_MS, type SessionTime, type Week } from "#app/model/day-plan.ts";
import { storedWeek } from "#app/model/stored-json.ts";
import { deleteBy, findBy, insertInto, replaceIn } from "#db/by-column.ts";
import { type Db, isSlotTaken, sqlite } from "#db/connection.server.ts";
import { readable } from "./appointments.server.ts";

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

export type FutureSession = SessionTime &
  Pick<Appointment, "id" | "counselor" | "status" | "version" | "calendarUid"> &
  Pick<Contact, "name">;

/** Of a time that is taken: it is paid, or held past `@now`. */
export const IS_KEPT = "(held_until IS NULL OR held_until > @now)";

/** Appointments that keep their time, paid or held, and are still to begin. */
export function listFutureSessions(db: Db, now: number): FutureSession[] {
  // By hand, as the next: building them would take longer than running them.
  const sessions = db.allRaw<FutureSession>(
    `SELECT a.id, a.name, a.on_date AS date, a.time_slot AS timeSlot, a.minutes, a.status,
       a.version, a.starts_at AS startsAt, a.ends_at AS endsAt,
       a.counselor_key AS counselorKey, c.name AS counselor, a.calendar_uid AS calendarUid
     FROM counselor c JOIN session_time t ON t.counselor_key = c.key
     JOIN appointment a ON a.id = t.appointment_id
     WHERE t.starts_at > @now AND ${IS_KEPT} ORDER BY t.starts_at`,
    [{ now }],
  );
  return sessions.map(readable);
}

export function listKeptClashes(db: Db, now: number) {
  return db.allRaw<Pick<Appointment, "id" | "counselorKey" | "startsAt"> & { cause: string }>(
    `SELECT a.id, k.counselor_key AS counselorKey, k.starts_at AS startsAt, k.cause
     FROM kept_clash k JOIN appointment a ON a.id = k.appointment_id
       AND a.counselor_key = k.counselor_key AND a.starts_at = k.starts_at
     WHERE k.starts_at > ?`,
    [now],
  );
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
  tx.runRaw(
    `DELETE FROM session_time WHERE counselor_key = @counselorKey AND starts_at < @endsAt
       AND starts_at > @earliest AND ends_at > @startsAt AND held_until <= @now
       AND appointment_id <> @id`,
    [{ id, ...time, earliest: startsAt - LONGEST_SESSION_MS, now }],
  );
  try {
    take(tx, { appointmentId: id, ...time, heldUntil: window?.holdUntil ?? null });
    return true;
  } catch (error) {
    if (isSlotTaken(error)) return false;
    throw error;
  }
}

export const releaseTime = deleteBy("session_time", "appointment_id");

/** True while the appointment keeps its time: paid, or within its hold. */
export function holdsTime(db: Db, id: string, now: number): boolean {
  const own = `SELECT 1 FROM session_time WHERE appointment_id = @id AND ${IS_KEPT}`;
  return db.firstRaw(own, [{ id, now }]) !== undefined;
}
