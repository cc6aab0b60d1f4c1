/** Phone numbers that asked for no messages, as hashes: they outlive what is erased. */
import { type Db, sqlite } from "#db/connection.server.ts";
import { contactHash } from "./contact-hash.server.ts";

export function isOptedOut(db: Db, phone: string): boolean {
  const optOuts = sqlite.selectFrom("opt_out").select("at");
  return db.has(optOuts.where("phone_hash", "=", contactHash(db, phone)));
}

export function insertOptOut(db: Db, phone: string, now: number): void {
  const optOut = { phone_hash: contactHash(db, phone), at: now };
  db.run(sqlite.insertInto("opt_out").orIgnore().values(optOut));
}

export function deleteOptOut(db: Db, phone: string): void {
  const hash = contactHash(db, phone);
  db.run(sqlite.deleteFrom("opt_out").where("phone_hash", "=", hash));
}
