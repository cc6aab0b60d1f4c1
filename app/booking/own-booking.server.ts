/**
 * The booking that a browser made last. A phone may drop the page while the bank's app is open, and
 * people change their mind: the browser's token finds the booking again, so nobody books twice.
 */
import { readOwnToken } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { newId } from "#app/model/ids.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findBookingOfToken, insertOwnBooking } from "#db/queries/holds.server.ts";
import { type PaymentState, paymentState } from "./booking-page.server.ts";

export function findOwnBooking(db: Db, token: string | null): Appointment | null {
  const id = token && findBookingOfToken(db, sha256(token));
  return id ? findAppointment(db, id) : null;
}

/** Of the booking whose time counts as free in the browser that asks; empty if there is none. */
export async function readOwnHoldId(
  { db, env }: Pick<Deps, "db" | "env">,
  request: Request,
): Promise<string> {
  const own = findOwnBooking(db, await readOwnToken(env, request));
  return own?.status === "pending_payment" ? own.id : "";
}

/** The browser's token from now on: the one it has, if that stands for this booking. */
export function tokenFor(tx: Db, token: string | null, appointmentId: string, now: number): string {
  if (token && findBookingOfToken(tx, sha256(token)) === appointmentId) return token;
  const fresh = newId();
  insertOwnBooking(tx, { tokenHash: sha256(fresh), appointmentId }, now);
  return fresh;
}

export interface OwnBooking {
  appointment: Appointment;
  state: PaymentState;
}

/** Null once it is cancelled, or its start has passed. */
export async function readOwnBooking(
  deps: Pick<Deps, "db" | "env" | "now">,
  request: Request,
): Promise<OwnBooking | null> {
  const appointment = findOwnBooking(deps.db, await readOwnToken(deps.env, request));
  const now = deps.now();
  if (!appointment || appointment.status === "cancelled" || appointment.startsAt <= now)
    return null;
  return { appointment, state: paymentState(deps, appointment, now) };
}
