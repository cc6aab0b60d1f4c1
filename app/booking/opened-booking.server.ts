/**
 * Personal data on a booking's page (the captain's plan, answers) is shown only in the browser that
 * booked, or after the booking's e-mail address was entered. That browser gets a random token of
 * its own, stored hashed and kept as long as the token of the browser that booked.
 */
import { cookieOf, OWN_BOOKING_MS, readOwnToken } from "#app/core/cookies.server.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { isId, newId } from "#app/model/ids.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findBookingOfToken, insertOwnBooking } from "#db/queries/holds.server.ts";
import { NO_APPOINTMENT } from "./change-rules.ts";
import { type OwnerClaim, refuseStranger } from "./self-service.server.ts";

const opened = cookieOf<unknown>("opened_booking", { maxAgeSeconds: OWN_BOOKING_MS / 1000 });

export async function isOpenIn(
  { db, env }: Pick<Deps, "db" | "env">,
  request: Request,
  appointmentId: string,
): Promise<boolean> {
  const tokens = [
    await readOwnToken(env, request),
    await opened.read(env, request.headers.get("cookie")),
  ];
  return tokens.some(
    (token) => isId(token) && findBookingOfToken(db, sha256(token)) === appointmentId,
  );
}

/**
 * Returns the `Set-Cookie` header that opens the booking in this browser. Refusals: `not_found`,
 * `validation_failed` on `email`, `rate_limited`.
 */
export async function openBooking(
  deps: ReadDeps,
  id: string,
  claim: OwnerClaim,
): Promise<Outcome<string>> {
  const appointment = findAppointment(deps.db, id);
  if (!appointment) return NO_APPOINTMENT;
  const refusal = refuseStranger(deps, appointment, claim);
  if (refusal) return refusal;
  const token = newId();
  insertOwnBooking(deps.db, { tokenHash: sha256(token), appointmentId: id }, deps.now());
  return success(await opened.header(deps.env, token));
}
