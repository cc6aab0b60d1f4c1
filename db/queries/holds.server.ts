/** Who holds times without having paid, and by what a repeat is known: browsers' tokens, idempotency keys. */
import type { SessionTime, Span } from "#app/model/day-plan.ts";
import { PAID } from "#app/model/statuses.ts";
import { findBy, insertInto } from "#db/by-column.ts";
import { COUNT, type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import { isEmail } from "./appointments.server.ts";

interface Holder {
  network: string;
  address: string;
  email: string;
  phone: string;
  exceptId: string;
}

type Holders = "Network" | "Address" | "Contact";
type Holds = Record<`of${Holders}`, number> & Record<`until${Holders}`, number | null>;

/**
 * Holds of a network (as `networkOf` names it) still running, but for that of one booking: all, those
 * of one address, and those that bear the e-mail or the phone, each with the end of the earliest.
 */
export function countHolds(db: Db, who: Holder, now: number): Holds {
  const isOfAddress = "client_address = @address";
  const isOfContact = "lower(email) = lower(@email) OR phone = @phone";
  // By hand, for every visitor. The key of every /64 begins with the groups of its /48.
  return db.firstRaw(
    `SELECT count(*) AS ofNetwork, min(hold_until) AS untilNetwork,
       count(*) FILTER (WHERE ${isOfAddress}) AS ofAddress,
       min(hold_until) FILTER (WHERE ${isOfAddress}) AS untilAddress,
       count(*) FILTER (WHERE ${isOfContact}) AS ofContact,
       min(hold_until) FILTER (WHERE ${isOfContact}) AS untilContact
     FROM appointment WHERE status = 'pending_payment' AND hold_until > @now AND id <> @exceptId
       AND client_address GLOB replace(@network, '::/48', ':*')`,
    [{ ...who, now }],
  )!;
}

/** Bookings that a network (as above) made since an instant and did not pay, and the oldest's instant. */
export function readUnpaidSince(
  db: Db,
  { network, exceptId }: Pick<Holder, "network" | "exceptId">,
  since: number,
): { count: number; oldest: number | null } {
  const [from, to] = network.endsWith("::/48")
    ? [network.replace("::/48", ":"), network.replace("::/48", ";")]
    : [network, network];
  const made = sqlite
    .selectFrom("appointment")
    .select([COUNT, (eb) => eb.fn.min("created_at").as("oldest")])
    .where("client_address", ">=", from)
    .where("client_address", "<=", to);
  return db.first(made.where("created_at", ">", since).where("id", "<>", exceptId))!;
}

/** A captain's holds still running whose sessions start from `now` until `until`. */
export function listVisitorHolds(
  db: Db,
  counselorKey: string,
  until: number,
  now: number,
): (Span & { clientAddress: string })[] {
  // By hand. Not a join: with one SQLite prepares the statement anew at every run, the longest part.
  return db.allRaw(
    `SELECT * FROM (SELECT starts_at AS startsAt, ends_at AS endsAt,
       (SELECT client_address FROM appointment WHERE id = appointment_id) AS clientAddress
       FROM session_time WHERE counselor_key = @counselorKey
         AND starts_at >= @now AND starts_at < @until AND held_until > @now)
     WHERE clientAddress IS NOT NULL`,
    [{ counselorKey, until, now }],
  );
}

/** The address that made a booking while it is unpaid; null for staff's, and once it is erased. */
export function findClientAddress(db: Db, appointmentId: string): string | null {
  const addresses = sqlite.selectFrom("appointment").select("client_address");
  return db.first(addresses.where("id", "=", appointmentId))?.client_address ?? null;
}

/** The unpaid booking made last from an address, at `since` or later, for one start of a captain. */
export function findNewestHold(
  db: Db,
  wanted: Pick<SessionTime, "counselorKey" | "date" | "timeSlot"> & {
    clientAddress: string;
    since: number;
  },
): string | null {
  const { counselorKey, date, timeSlot, clientAddress, since } = wanted;
  const made = sqlite
    .selectFrom("appointment")
    .select("id")
    .where((eb) => eb.and({ counselor_key: counselorKey, on_date: date, time_slot: timeSlot }))
    .where("status", "=", literal("pending_payment"))
    .where("client_address", "=", clientAddress)
    .where("created_at", ">=", since);
  return db.first(made.orderBy("seq", "desc").limit(1))?.id ?? null;
}

export function hasPaidBooking(db: Db, email: string): boolean {
  const paid = sqlite.selectFrom("appointment").where("status", "in", literals(PAID));
  return db.has(paid.select("id").where(isEmail(email)));
}

/** Of a token given at `since` or later. */
export function findBookingOfToken(db: Db, tokenHash: string, since = 0): string | null {
  const own = sqlite.selectFrom("own_booking").select("appointment_id as id");
  const given = own.where("token_hash", "=", tokenHash).where("given_at", ">=", since);
  return db.first(given)?.id ?? null;
}

const insert = insertInto("own_booking");

/** Of one booking: more browsers than anybody has, whose tokens go as newer ones come. */
const MOST_TOKENS = 5;

export function insertOwnBooking(
  tx: Db,
  own: { tokenHash: string; appointmentId: string },
  now: number,
): void {
  tx.runRaw(
    `DELETE FROM own_booking WHERE token_hash IN (SELECT token_hash FROM own_booking
     WHERE appointment_id = ? ORDER BY given_at DESC LIMIT -1 OFFSET ?)`,
    [own.appointmentId, MOST_TOKENS - 1],
  );
  insert(tx, { ...own, givenAt: now });
}

/** Closes a booking in every browser in which it was open. */
export function deleteOwnBookings(tx: Db, appointmentId: string): void {
  tx.run(sqlite.deleteFrom("own_booking").where("appointment_id", "=", appointmentId));
}

/** What a call made or changed. */
export interface Made {
  appointmentId: string;
  refundId?: string | null;
}

export const findStoredAnswer = findBy("idempotency", "key");
const insertAnswer = insertInto("idempotency");

/** How many keys lead to a booking. */
export function countAnswers(db: Db, appointmentId: string): number {
  const own = sqlite.selectFrom("idempotency").select(COUNT);
  return db.first(own.where("appointment_id", "=", appointmentId))!.count;
}

export function storeAnswer(
  tx: Db,
  { at, ...same }: Made & { key: string; bodyHash: string; at: number },
): void {
  insertAnswer(tx, { ...same, createdAt: at });
}
