/** The rooms that another server makes for sessions. */
import { sql } from "kysely";
import { PAID } from "#app/model/statuses.ts";
import { deleteBy, findBy, insertInto, leaseDue, UNLEASED, updateBy } from "#db/by-column.ts";
import { type Db, literals, sqlite } from "#db/connection.server.ts";
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
  const host = sqlite
    .selectFrom("appointment as a")
    .innerJoin("counselor as c", "c.key", "a.counselor_key")
    .select("c.email")
    .where("a.id", "=", sql.ref<string>("session_room.appointment_id"));
  const unknown = sqlite
    .updateTable("session_room")
    .where("meeting_id", "is", null)
    .where("fell_back_at", "is", null);
  tx.run(
    unknown.set((eb) => ({
      next_try_at: 0,
      lease_until: null,
      unsure_since: now,
      host: eb.fn.coalesce("host", host),
    })),
  );
}

/** Paid sessions to come that take place at the captain's fallback link. */
export function listFallenBack(db: Db, now: number, limit: number): string[] {
  const rows = db.all(
    sqlite
      .selectFrom("session_room as r")
      .innerJoin("appointment as a", "a.id", "r.appointment_id")
      .select("a.id")
      .where("r.fell_back_at", "is not", null)
      .where("a.status", "in", literals(PAID))
      .where("a.ends_at", ">", now)
      // With the sign, SQLite reads the few rooms first, not all sessions in the order of their time.
      .orderBy(sql`+a.starts_at`)
      .limit(limit),
  );
  return rows.map(({ id }) => id);
}
