/** Phone numbers that asked for no messages. */
import { type Db, sqlite } from "#db/connection.server.ts";

export function isOptedOut(db: Db, phone: string): boolean {
  return db.has(sqlite.selectFrom("opt_out").select("phone").where("phone", "=", phone));
}

export function insertOptOut(db: Db, phone: string, now: number): void {
  db.run(sqlite.insertInto("opt_out").orIgnore().values({ phone, at: now }));
}

export function deleteOptOut(db: Db, phone: string): void {
  db.run(sqlite.deleteFrom("opt_out").where("phone", "=", phone));
}
