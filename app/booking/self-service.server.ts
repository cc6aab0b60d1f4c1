/** What customers change themselves on the booking's page, until the cut-off before the session. */
import { bookableTimes, lastDateOffered } from "#app/availability/slots.ts";
import { networksOf } from "#app/core/client-address.ts";
import { cookieOf, OWN_BOOKING_MS, readOwnToken } from "#app/core/cookies.server.ts";
import { countersByEnv, type Key, takeEach } from "#app/core/counters.server.ts";
import type { ChangeDeps, Deps, ReadDeps } from "#app/core/deps.server.ts";
import { isSame, sha256 } from "#app/core/secrets.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, type Contact, isPaid } from "#app/model/appointment.ts";
import { DAY, dateInIndia, MINUTE } from "#app/model/dates.ts";
import { isId, newId } from "#app/model/ids.ts";
import {
  type Failure,
  invalid,
  NO_APPOINTMENT,
  type Outcome,
  success,
} from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { readDayPlan, readDayPlans } from "#db/queries/availability.server.ts";
import { findBookingOfToken, insertOwnBooking } from "#db/queries/holds.server.ts";
import { type Cancelled, cancelAppointment } from "./cancel-and-refund.server.ts";
import { isOwnTime, refuseChange, selfServiceEnd } from "./change-rules.ts";
import { HELD_TOO_LONG, refuseMove } from "./holds.server.ts";
import { mayMove } from "./payment-window.ts";
import { type NewTime, rescheduleAppointment } from "./reschedule-appointment.server.ts";

const CUSTOMER: Actor = { kind: "customer" };

/**
 * Moves the booking to a time that a visitor could book. Refusals: `not_found`, `validation_failed`
 * (on `email`; too late; the same time), `rate_limited` (too many tries or moves),
 * `already_cancelled`, `stale`, `slot_taken`, `payment_window_over` for an unpaid booking that was
 * held too often or too long.
 */
export async function moveOwnBooking(
  deps: ChangeDeps,
  id: string,
  request: NewTime,
  claim: OwnerClaim,
): Promise<Outcome<Appointment>> {
  const refusal = refuseClaim(deps, id, claim);
  return refusal ?? inTransaction(deps.db, (tx) => moveOwn(tx, deps, id, request));
}

/** Refusals as for `moveOwnBooking`, except those about the new time. */
export async function cancelOwnBooking(
  deps: ChangeDeps,
  id: string,
  { version }: { version?: number | undefined },
  claim: OwnerClaim,
): Promise<Outcome<Cancelled>> {
  return refuseClaim(deps, id, claim) ?? cancelAppointment(deps, CUSTOMER, id, { version });
}

function refuseClaim(deps: ReadDeps, id: string, claim: OwnerClaim): Failure | null {
  const appointment = findAppointment(deps.db, id);
  return appointment ? refuseStranger(deps, appointment, claim) : NO_APPOINTMENT;
}

/** The new hold of an unpaid booking counts as a renewal, so that nobody keeps times forever. */
function moveOwn(tx: Db, deps: ChangeDeps, id: string, request: NewTime): Outcome<Appointment> {
  const now = deps.now();
  const appointment = findAppointment(tx, id);
  if (!appointment) return NO_APPOINTMENT;
  const { version } = request;
  const refusal = refuseChange(appointment, { actor: CUSTOMER, version }, deps.env, now);
  if (refusal) return refusal;
  if (isOwnTime(appointment, request)) {
    return invalid({ newTimeSlot: ["You already have this time. Please choose another one."] });
  }
  const tooMany = refuseMove(tx, deps.env, appointment, now);
  if (tooMany) return tooMany;
  if (!mayMove(appointment, deps.env, now)) return HELD_TOO_LONG;
  const moved = rescheduleAppointment(deps, CUSTOMER, id, request);
  if (!moved.ok || isPaid(appointment)) return moved;
  updateAppointment(tx, id, now, { renewals: appointment.renewals + 1 });
  return success(findAppointment(tx, id)!);
}

/** `too_late`: the cut-off has passed. `begun`: the session has started. */
export function selfServiceState(
  { env, now }: Pick<Deps, "env" | "now">,
  appointment: Pick<Appointment, "status" | "startsAt" | "cutoffHours">,
) {
  const at = now();
  if (appointment.status === "cancelled") return "cancelled";
  if (appointment.startsAt <= at) return "begun";
  return at < selfServiceEnd(appointment, env) ? "open" : "too_late";
}

/**
 * The days to which the booking can be moved, each with its number of free times. Its own time is
 * neither an obstacle nor offered. A captain off the page (`isOff`) has none.
 */
export function readNewDays({ db, env, now }: ReadDeps, appointment: Appointment) {
  const { id, counselorKey, minutes } = appointment;
  const at = now();
  const from = dateInIndia(at);
  const to = lastDateOffered(env, at);
  const counts: Record<string, number> = {};
  const plans = readDayPlans(db, counselorKey, from, to, at, id);
  for (const plan of plans) {
    const times = bookableTimes(plan, minutes, env, at);
    counts[plan.date] = withoutOwn(appointment, plan.date, times).length;
  }
  return { from, to, isOff: plans.some((plan) => plan.isOff), counts };
}

/** The times on one of those days, ascending. */
export function readOwnNewTimes(deps: ReadDeps, appointment: Appointment, date: string): string[] {
  const { id, counselorKey, minutes } = appointment;
  const now = deps.now();
  const plan = readDayPlan(deps.db, counselorKey, date, now, id);
  return withoutOwn(appointment, date, bookableTimes(plan, minutes, deps.env, now));
}

function withoutOwn(appointment: Appointment, date: string, times: string[]): string[] {
  return times.filter((timeSlot) => !isOwnTime(appointment, { date, timeSlot }));
}

// Whoever has a booking's URL can see it; changing it also takes its e-mail address. Wrong e-mail
// addresses lock the booking for the IP address and network they come from, never for its owner
// elsewhere.

const counters = countersByEnv({
  fromAddress: { points: 5, windowMs: 15 * MINUTE },
  /** Customers of an internet provider can have many addresses in few networks. */
  fromNetwork: { points: 20, windowMs: DAY },
});

/** The same for a wrong e-mail address and an invalid one. */
const WRONG_EMAIL =
  "This is not the email address of this booking. Please enter the one you booked with.";

const TOO_MANY = "You have tried too many email addresses. Please wait, or write to us.";

export interface OwnerClaim {
  /** As typed. */
  email: string;
  clientAddress: string;
}

/** Null for the booking's address. Refusals: `validation_failed` on `email`, `rate_limited`. */
export function refuseStranger(
  { env, now }: Pick<Deps, "env" | "now">,
  appointment: { id: string; contact: Pick<Contact, "email"> },
  { email, clientAddress }: OwnerClaim,
): Failure | null {
  const isOwner = isSameAddress(email, appointment.contact.email);
  if (env.rateLimit) {
    const { fromAddress, fromNetwork } = counters(env);
    const { id } = appointment;
    const [, network = clientAddress] = networksOf(clientAddress);
    const address: Key = { from: clientAddress, about: id };
    const around: Key = { about: `${id} ${network}` };
    const tries = [[fromAddress, address] as const, [fromNetwork, around] as const];
    // After too many wrong e-mail addresses, the right one is refused too.
    const taken = takeEach(tries, now(), TOO_MANY);
    if ("ok" in taken) return taken;
    if (isOwner) {
      taken.giveBack();
      fromAddress.forget(address);
      fromNetwork.forget(around);
    }
  }
  return isOwner ? null : invalid({ email: [WRONG_EMAIL] });
}

/** Compares in constant time, ignoring case. An erased, empty address matches nothing. */
function isSameAddress(typed: string, stored: string): boolean {
  const plain = (address: string) => address.trim().toLowerCase();
  return isSame(plain(typed), plain(stored)) && stored !== "";
}

// Personal data on a booking's page (the captain's plan, answers) is shown only in the browser that
// booked, or after the booking's e-mail address was entered. That browser gets a random token of its
// own, stored hashed and kept as long as the token of the browser that booked.

const opened = cookieOf<unknown>("opened_booking", { maxAgeSeconds: OWN_BOOKING_MS / 1000 });

/** Tokens that a browser keeps: more bookings than anybody looks at in turn. */
const MOST_OPEN = 5;

/** Newest first. */
async function openedTokens(env: Deps["env"], request: Request): Promise<string[]> {
  const value = await opened.read(env, request.headers.get("cookie"));
  const tokens = typeof value === "string" ? value.split(".") : [];
  return tokens.filter(isId).slice(0, MOST_OPEN);
}

export async function isOpenIn(
  { db, env, now }: Pick<Deps, "db" | "env" | "now">,
  request: Request,
  appointmentId: string,
): Promise<boolean> {
  const tokens = [await readOwnToken(env, request), ...(await openedTokens(env, request))];
  // The cookie of several tokens lives on with each new one.
  const since = now() - OWN_BOOKING_MS;
  return tokens.some(
    (token) => token !== null && findBookingOfToken(db, sha256(token), since) === appointmentId,
  );
}

/**
 * Returns the `Set-Cookie` header that opens the booking in the request's browser. Refusals:
 * `not_found`, `validation_failed` on `email`, `rate_limited`.
 */
export async function openBooking(
  deps: ReadDeps,
  id: string,
  claim: OwnerClaim,
  request: Request,
): Promise<Outcome<string>> {
  const refusal = refuseClaim(deps, id, claim);
  if (refusal) return refusal;
  const token = newId();
  insertOwnBooking(deps.db, { tokenHash: sha256(token), appointmentId: id }, deps.now());
  const tokens = [token, ...(await openedTokens(deps.env, request))].slice(0, MOST_OPEN);
  return success(await opened.header(deps.env, tokens.join(".")));
}
