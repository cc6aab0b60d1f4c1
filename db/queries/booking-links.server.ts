/** What find-booking reads: the bookings of an address, and the mails it got about them. */
import type { Db } from "../connection.server.ts";

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

/**
 * Mails with links since an instant, and when the newest was queued. The cause begins with the
 * address's key, so the unique index over causes finds them.
 */
export function countLinkMails(
  db: Db,
  addressKey: string,
  since: number,
): { count: number; newest: number | null } {
  const prefix = `booking_links:${addressKey}:`;
  return db.firstRaw<{ count: number; newest: number | null }>(
    `SELECT count(*) AS count, max(created_at) AS newest FROM message
     WHERE cause >= ? AND cause < ? AND created_at > ?`,
    [prefix, `${prefix}\uffff`, since],
  )!;
}
