/** The booking that a wish continues or changes: this browser's, or that of the press before. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import { MINUTE } from "#app/model/duration.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findNewestHold, findStoredAnswer } from "#db/queries/holds.server.ts";
import type { BookingInput } from "./booking-fields.ts";
import { findOwnBooking } from "./own-booking.server.ts";
import { type BookingOrigin, isRepeat, namesPrice, wishOf } from "./wish.server.ts";

/** The second press of a form comes this soon after the first. */
const PRESSED_TWICE_MS = 2 * MINUTE;

/** What is held as the wish says, at the price that it names: by this browser, or by the press before. */
export function heldAsWished(
  db: Db,
  input: BookingInput,
  origin: BookingOrigin,
  now: number,
): Appointment | null {
  const captain = findCounselorByName(readCatalogue(db), input.counselor);
  if (!captain) return null;
  const wish = wishOf(input);
  const isIt = (one: Appointment) =>
    one.counselorKey === captain.key && namesPrice(origin, one.price) && isRepeat(one, wish, now);
  const own = findOwnBooking(db, origin.ownToken ?? null);
  if (own && isIt(own)) return own;
  const before = origin.isForm ? findPressBefore(db, captain.key, wish, origin, now) : null;
  return before && isIt(before) ? before : null;
}

/** From the same address just now; the wish says whose it must be. */
function findPressBefore(
  db: Db,
  counselorKey: string,
  { date, timeSlot }: BookingInput,
  { clientAddress }: BookingOrigin,
  now: number,
): Appointment | null {
  const since = now - PRESSED_TWICE_MS;
  const id = findNewestHold(db, { counselorKey, date, timeSlot, clientAddress, since });
  return id === null ? null : findAppointment(db, id);
}

/** The unpaid booking of this browser that the wish would change, or null. */
export function bookingToChange(
  deps: Pick<Deps, "db" | "now">,
  input: BookingInput,
  origin: BookingOrigin,
): Appointment | null {
  const { idempotencyKey, ownToken = null } = origin;
  if (idempotencyKey && findStoredAnswer(deps.db, idempotencyKey)) return null;
  const own = findOwnBooking(deps.db, ownToken);
  if (own?.status !== "pending_payment") return null;
  return heldAsWished(deps.db, input, origin, deps.now()) ? null : own;
}
