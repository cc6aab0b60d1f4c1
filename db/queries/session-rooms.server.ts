/** The rooms that another server makes for sessions. */
import { deleteBy, findBy, insertInto, leaseDue, UNLEASED, updateBy } from "#db/by-column.ts";
import { type Db, PAID_WORDS, sqlite } from "#db/connection.server.ts";
import { type ChangeOf, rowOf, type Stored } from "#db/row-fields.ts";
import type { Tables } from "#db/tables.ts";

export type SessionRoom = Stored<Tables["session_room"]>;

export const insertRoom = insertInto("session_room");

/** The room is no longer the booking's, and is to be deleted. */
export function endRoom(tx: Db, appointmentId: string, now: number): void {
  const ended = { appointment_id: null, next_try_at: now, attempts: 0 };
  const row = sqlite.updateTable("session_room").set(ended);
  tx.run(row.where("appointment_id", "=", appointmentId));
}

export const findRoom = findBy("session_room", "room_key");
export const findRoomOf = findBy("session_room", "appointment_id");
export const updateRoom = updateBy("session_room", "room_key");
export const deleteRoom = deleteBy("session_room", "room_key");

/** Those of sessions before those that are to be deleted. */
export const leaseDueRooms = leaseDue("session_room", "room_key", {
  due: "next_try_at",
  until: "lease_until",
  which: UNLEASED,
  first: "appointment_id IS NULL, next_try_at",
});

/** Only while the lease is not lost; false if it was. */
export function updateHeldRoom(
  db: Db,
  { roomKey, leaseUntil }: Pick<SessionRoom, "roomKey" | "leaseUntil">,
  change: ChangeOf<Tables["session_room"]>,
): boolean {
  const row = sqlite.updateTable("session_room").where("room_key", "=", roomKey);
  return db.run(row.where("lease_until", "=", leaseUntil).set(rowOf(change))) > 0;
}

/**
 * After a copy was put back: what the copy does not know may have been made since, so it is looked up
 * before it is made, under the captain's address where none was asked for yet.
 */
export function lookUpRooms(tx: Db, now: number): void {
  tx.runRaw(
    `UPDATE session_room SET next_try_at = 0, lease_until = NULL, unsure_since = ?,
       host = coalesce(host, (SELECT c.email FROM appointment a
         JOIN counselor c ON c.key = a.counselor_key WHERE a.id = appointment_id))
     WHERE meeting_id IS NULL AND fell_back_at IS NULL`,
    [now],
  );
}

/** Paid sessions to come that take place at the captain's fallback link. */
export function listFallenBack(db: Db, now: number, limit: number): string[] {
  // By hand: with the sign, SQLite reads the few rooms first, not all sessions in order of time.
  const rows = db.allRaw<{ id: string }>(
    `SELECT a.id FROM session_room r JOIN appointment a ON a.id = r.appointment_id
     WHERE r.fell_back_at IS NOT NULL AND a.status IN (${PAID_WORDS}) AND a.ends_at > ?
     ORDER BY +a.starts_at LIMIT ?`,
    [now, limit],
  );
  return rows.map(({ id }) => id);
}
