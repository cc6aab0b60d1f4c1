/** Who holds times without having paid. */
import { sql } from "kysely";
import type { Span } from "#app/model/day-plan.ts";
import { PAID } from "#app/model/statuses.ts";
import { type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import { isEmail } from "./appointments.server.ts";

/**
 * Holds of a network (as `networkOf` names it) still running, but for that of one booking: all, those
 * of one address, and those that bear the e-mail or the phone.
 */
export function countHolds(
  db: Db,
  who: { network: string; address: string; email: string; phone: string; exceptId: string },
  now: number,
): { ofNetwork: number; ofAddress: number; ofContact: number } {
  const count = sqlite.fn.countAll<number>();
  return db.first(
    sqlite
      .selectFrom("appointment")
      .select((eb) => [
        count.as("ofNetwork"),
        count.filterWhere("client_address", "=", who.address).as("ofAddress"),
        count.filterWhere(eb.or([isEmail(who.email), eb("phone", "=", who.phone)])).as("ofContact"),
      ])
      .where("status", "=", literal("pending_payment"))
      .where("hold_until", ">", now)
      .where("id", "<>", who.exceptId)
      // The key of every /64 begins with the groups of its /48.
      .where(sql<boolean>`client_address GLOB replace(${who.network}, '::/48', ':*')`),
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
  const holds = sqlite
    .selectFrom("session_time")
    .select((eb) => [
      "starts_at as startsAt",
      "ends_at as endsAt",
      eb
        .selectFrom("appointment as a")
        .select("a.client_address")
        .whereRef("a.id", "=", "session_time.appointment_id")
        .as("clientAddress"),
    ])
    .where("counselor_key", "=", counselorKey)
    .where("starts_at", ">=", now)
    .where("starts_at", "<", until)
    .where("held_until", ">", now);
  const ofVisitors = sqlite.selectFrom(holds.as("holds")).where("clientAddress", "is not", null);
  return db.all(ofVisitors.selectAll().$narrowType<{ clientAddress: string }>());
}

/** The address that made a booking while it is unpaid; null for staff's, and once it is erased. */
export function findClientAddress(db: Db, appointmentId: string): string | null {
  const addresses = sqlite.selectFrom("appointment").select("client_address");
  return db.first(addresses.where("id", "=", appointmentId))?.client_address ?? null;
}

export function hasPaidBooking(db: Db, email: string): boolean {
  const paid = sqlite.selectFrom("appointment").where("status", "in", literals(PAID));
  return db.has(paid.select("id").where(isEmail(email)));
}
