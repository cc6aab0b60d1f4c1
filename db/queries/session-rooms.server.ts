/** The rooms that another server makes for sessions. */
import { type Db, sqlite } from "#db/connection.server.ts";
import { prepareInsert } from "#db/prepared-query.ts";
import { type NewOf, rowOf } from "#db/row-fields.ts";
import type { Tables } from "#db/tables.ts";

type Table = Tables["session_room"];

const insert = prepareInsert("session_room");

export function insertRoom(tx: Db, room: NewOf<Table>): void {
  insert(tx, rowOf(room));
}

/** The room is no longer the booking's, and is to be deleted. */
export function endRoom(tx: Db, appointmentId: string, now: number): void {
  const ended = { appointment_id: null, next_try_at: now, attempts: 0 };
  const row = sqlite.updateTable("session_room").set(ended);
  tx.run(row.where("appointment_id", "=", appointmentId));
}

/** Paid sessions to come that take place at the captain's fallback link. */
export function listFallenBack(db: Db, now: number, limit: number): string[] {
  const rows = db.all(
    sqlite
      .selectFrom("session_room as r")
      .innerJoin("appointment as a", "a.id", "r.appointment_id")
      .select("a.id")
      .where("r.fell_back_at", "is not", null)
      .where("a.ends_at", ">", now)
      .orderBy("a.starts_at")
      .limit(limit),
  );
  return rows.map(({ id }) => id);
}
