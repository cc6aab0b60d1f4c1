/** The bookings that browsers made, by the hashes of their tokens. */
import { type Db, sqlite } from "#db/connection.server.ts";
import { prepareInsert } from "#db/prepared-query.ts";

/** The id of the booking, or null. */
export function findBookingOfToken(db: Db, tokenHash: string): string | null {
  const own = sqlite.selectFrom("own_booking").select("appointment_id as id");
  return db.first(own.where("token_hash", "=", tokenHash))?.id ?? null;
}

const insert = prepareInsert("own_booking");

export function insertOwnBooking(
  tx: Db,
  own: { tokenHash: string; appointmentId: string },
  now: number,
): void {
  const { tokenHash, appointmentId } = own;
  insert(tx, { token_hash: tokenHash, appointment_id: appointmentId, given_at: now });
}
