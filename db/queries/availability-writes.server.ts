/** Setting and blocking times, and what one day of a counselor looks like to the admin. */

import type { AppointmentStatus } from "#app/model/statuses.ts";
import { storedTimes } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";

/** Replaces the date's times; the list ascends. */
export function saveAvailability(
  tx: Db,
  counselorKey: string,
  date: string,
  timeSlots: readonly string[],
  now: number,
): void {
  tx.runRaw(
    `INSERT INTO availability (counselor_key, on_date, time_slots, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (counselor_key, on_date)
     DO UPDATE SET time_slots = excluded.time_slots, updated_at = excluded.updated_at`,
    [counselorKey, date, JSON.stringify(timeSlots), now],
  );
}

/** True if a list was set for the date. */
export function deleteAvailability(tx: Db, counselorKey: string, date: string): boolean {
  return (
    tx.runRaw(`DELETE FROM availability WHERE counselor_key = ? AND on_date = ?`, [
      counselorKey,
      date,
    ]) === 1
  );
}

/** A time blocked already takes the newer reason, unless there is none. */
export function saveBlock(
  tx: Db,
  block: { counselorKey: string; date: string; timeSlot: string; reason: string | null },
  now: number,
): void {
  tx.runRaw(
    `INSERT INTO block (counselor_key, on_date, time_slot, reason, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (counselor_key, on_date, time_slot)
     DO UPDATE SET reason = coalesce(excluded.reason, reason)`,
    [block.counselorKey, block.date, block.timeSlot, block.reason, now],
  );
}

export function deleteBlock(tx: Db, counselorKey: string, date: string, timeSlot: string): void {
  tx.runRaw(`DELETE FROM block WHERE counselor_key = ? AND on_date = ? AND time_slot = ?`, [
    counselorKey,
    date,
    timeSlot,
  ]);
}

export interface Block {
  timeSlot: string;
  reason: string | null;
}

export function listBlocks(db: Db, counselorKey: string, date: string): Block[] {
  return db.allRaw<Block>(
    `SELECT time_slot AS timeSlot, reason FROM block
     WHERE counselor_key = ? AND on_date = ? ORDER BY time_slot`,
    [counselorKey, date],
  );
}

/** The list set for a date, or null where the default times hold. */
export function findSetTimes(db: Db, counselorKey: string, date: string): string[] | null {
  const row = db.firstRaw<{ time_slots: string }>(
    `SELECT time_slots FROM availability WHERE counselor_key = ? AND on_date = ?`,
    [counselorKey, date],
  );
  return row ? storedTimes(row.time_slots) : null;
}

export interface LiveSession {
  id: string;
  name: string;
  date: string;
  timeSlot: string;
  minutes: number;
  status: AppointmentStatus;
  /** Milliseconds UTC. */
  startsAt: number;
  endsAt: number;
}

/** Appointments that keep their time on a date: paid, or within their hold. */
export function listLiveSessions(
  db: Db,
  counselorKey: string,
  date: string,
  now: number,
): LiveSession[] {
  return db.allRaw<LiveSession>(
    `SELECT a.id, a.name, a.on_date AS date, a.time_slot AS timeSlot, a.minutes, a.status,
            a.starts_at AS startsAt, a.ends_at AS endsAt
     FROM appointment a JOIN session_time t ON t.appointment_id = a.id
     WHERE a.counselor_key = ? AND a.on_date = ? AND (t.held_until IS NULL OR t.held_until > ?)
     ORDER BY a.starts_at`,
    [counselorKey, date, now],
  );
}
