/** Bookings that a payment of nobody may have been meant for. */
import type { Appointment, Contact } from "#app/model/appointment.ts";
import { DAY } from "#app/model/duration.ts";
import type { Db } from "#db/connection.server.ts";
import { readRows } from "./appointment-list.server.ts";
import { phrase } from "./appointment-search.server.ts";

/** A booking of another contact counts only if it was made so near to the payment. */
const NEAR = 3 * DAY;

export interface LikelyBooking {
  appointment: Appointment;
  /** Of the same e-mail address or phone number. */
  isSameContact: boolean;
}

interface Wanted {
  amountPaise: number;
  email: string | null;
  phone: string | null;
  /** When was paid, milliseconds UTC. */
  at: number;
}

/** Unpaid and to come, of that price: those of the same contact first, then by nearness in time. */
export function listLikelyBookings(
  db: Db,
  { amountPaise, email, phone, at }: Wanted,
  { now, limit }: { now: number; limit: number },
): LikelyBooking[] {
  const digits = /\d{10}$/.exec((phone ?? "").replace(/\D/g, ""))?.[0] ?? null;
  // By hand: the builder does not know the search, and each part has an index of its own.
  const found = db.allRaw<{ seq: number }>(
    `WITH likely (seq, same) AS (
       SELECT seq, 1 FROM appointment WHERE lower(email) = lower(?)
       UNION ALL SELECT rowid, 1 FROM appointment_search WHERE appointment_search MATCH ?
       UNION ALL SELECT seq, 0 FROM appointment WHERE created_at BETWEEN ? AND ?)
     SELECT seq FROM likely CROSS JOIN appointment USING (seq)
     WHERE +status = 'pending_payment' AND total_paise = ? AND starts_at > ?
     GROUP BY seq ORDER BY max(same) DESC, abs(created_at - ?), seq LIMIT ?`,
    [
      ...[email, `phone : ${phrase(digits ?? "no such number")}`],
      ...[at - NEAR, at + NEAR, amountPaise, now, at, limit],
    ],
  );
  const rows = readRows(
    db,
    found.map(({ seq }) => seq),
  );
  return rows.map((appointment) => ({ appointment, isSameContact: isSame(appointment.contact) }));

  function isSame(contact: Contact): boolean {
    if (email !== null && contact.email.toLowerCase() === email.toLowerCase()) return true;
    return digits !== null && contact.phone.endsWith(digits);
  }
}
