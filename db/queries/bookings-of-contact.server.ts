/** The bookings that bear an e-mail address or a phone number. */
import { sql } from "kysely";
import { PAID } from "#app/model/statuses.ts";
import { type Db, literals, sqlite } from "#db/connection.server.ts";
import { phrase } from "./appointment-search.server.ts";
import { isEmail } from "./appointments.server.ts";

/** Compares as stored. The search's index finds the digits, so that no table is scanned. */
const isPhone = (phone: string) =>
  sql<boolean>`phone = ${phone} AND seq IN (SELECT rowid FROM appointment_search
    WHERE appointment_search MATCH ${`phone : ${phrase(phone.slice(-10))}`})`;

export type ContactAsked = { email: string } | { phone: string };

/**
 * Bookings of an e-mail address or phone number that start after `since`: paid ones first, so that
 * holds that others made with it displace none, then the latest.
 */
export function listBookingsOf(db: Db, asked: ContactAsked, since: number, limit: number) {
  return db.all(
    sqlite
      .selectFrom("appointment")
      .select(["id", "email"])
      .where("email" in asked ? isEmail(asked.email) : isPhone(asked.phone))
      .where("starts_at", ">=", since)
      .where("personal_data_erased_at", "is", null)
      .orderBy((eb) => eb("status", "in", literals(PAID)), "desc")
      .orderBy("starts_at", "desc")
      .orderBy("seq", "desc")
      .limit(limit),
  );
}
