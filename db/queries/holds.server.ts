import type { Span } from "#app/model/day-plan.ts";
import type { Db } from "#db/connection.server.ts";

/**
 * Holds of a network (as `networkOf` names it) still running, but for that of one booking: all, those
 * of one address, and those that bear the e-mail or the phone.
 */
export function countHolds(
  db: Db,
  who: { network: string; address: string; email: string; phone: string; exceptId: string },
  now: number,
): { ofNetwork: number; ofAddress: number; ofContact: number } {
  // The key of every /64 begins with the groups of its /48.
  return db.firstRaw(
    `SELECT count(*) AS ofNetwork, count(*) FILTER (WHERE client_address = ?) AS ofAddress,
       count(*) FILTER (WHERE lower(email) = lower(?) OR phone = ?) AS ofContact
     FROM appointment WHERE status = 'pending_payment' AND hold_until > ? AND id <> ?
       AND client_address GLOB replace(?, '::/48', ':*')`,
    [who.address, who.email, who.phone, now, who.exceptId, who.network],
  )!;
}

/**
 * A captain's holds still running whose sessions start from `now` until `until`. Not a join: with
 * one SQLite prepares the statement again at every run, which takes longer than all the rest.
 */
export function listVisitorHolds(
  db: Db,
  counselorKey: string,
  until: number,
  now: number,
): (Span & { clientAddress: string })[] {
  return db.allRaw(
    `SELECT * FROM (
       SELECT starts_at AS startsAt, ends_at AS endsAt, (SELECT a.client_address FROM appointment a
         WHERE a.id = session_time.appointment_id) AS clientAddress
       FROM session_time
       WHERE counselor_key = ? AND starts_at >= ? AND starts_at < ? AND held_until > ?)
     WHERE clientAddress IS NOT NULL`,
    [counselorKey, now, until, now],
  );
}

/** The address that made a booking while it is unpaid; null for staff's, and once it is erased. */
export function findClientAddress(db: Db, appointmentId: string): string | null {
  return (
    db.firstRaw<{ address: string | null }>(
      "SELECT client_address AS address FROM appointment WHERE id = ?",
      [appointmentId],
    )?.address ?? null
  );
}

export function hasPaidBooking(db: Db, email: string): boolean {
  return (
    db.firstRaw(
      `SELECT 1 FROM appointment
       WHERE lower(email) = lower(?) AND status IN ('confirmed', 'rescheduled')`,
      [email],
    ) !== undefined
  );
}
