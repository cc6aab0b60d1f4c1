/** What find-booking reads: the bookings of an address. */
import type { Db } from "#db/connection.server.ts";

export interface LinkedBooking {
  id: string;
  email: string;
}

/** Bookings of an address that start after `since`, the latest first. */
export function listBookingsOfAddress(
  db: Db,
  email: string,
  since: number,
  limit: number,
): LinkedBooking[] {
  return db.allRaw<LinkedBooking>(
    `SELECT id, email FROM appointment
     WHERE lower(email) = lower(?) AND starts_at >= ? AND personal_data_erased_at IS NULL
     ORDER BY starts_at DESC, seq DESC LIMIT ?`,
    [email, since, limit],
  );
}
