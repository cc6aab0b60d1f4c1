/** The bookings that browsers made, by the hashes of their tokens. */
import { type Db, sqlite } from "#db/connection.server.ts";
import { prepareInsert } from "#db/prepared-query.ts";

/** The id of the booking, or null. */
export function findBookingOfToken(db: Db, tokenHash: string): string | null {
  const own = sqlite.selectFrom("own_booking").select("appointment_id as id");
  return db.first(own.where("token_hash", "=", tokenHash))?.id ?? null;
}

const insert = prepareInsert("own_booking");

/** Of one booking: more browsers than anybody has, whose tokens go as newer ones come. */
const MOST_TOKENS = 5;

export function insertOwnBooking(
  tx: Db,
  own: { tokenHash: string; appointmentId: string },
  now: number,
): void {
  const { tokenHash, appointmentId } = own;
  const ofBooking = sqlite.selectFrom("own_booking").where("appointment_id", "=", appointmentId);
  const newest = ofBooking
    .select("token_hash")
    .orderBy("given_at", "desc")
    .limit(MOST_TOKENS - 1);
  const older = sqlite.deleteFrom("own_booking").where("appointment_id", "=", appointmentId);
  tx.run(older.where("token_hash", "not in", newest));
  insert(tx, { token_hash: tokenHash, appointment_id: appointmentId, given_at: now });
}
