/** Books a session: checks the wish against the rules and takes the time in one transaction. */
import { createHash } from "node:crypto";
import { bookableTimes, isDateOffered, lastDateOffered } from "#app/availability/slots.ts";
import { findCounselorByName, findPackage, NOTICE_VERSION } from "#app/catalogue.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Appointment, isHeld, isPaid } from "#app/model/appointment.ts";
import { dateInIndia, formatDate } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { formatRupees, rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import { type Price, priceOf } from "#app/model/price.ts";
import { sessionTimeOf } from "#app/model/session-time.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  findAppointment,
  findStoredAnswer,
  insertAppointment,
  storeAnswer,
} from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { appointmentJson } from "./appointment-json.ts";
import type { BookingInput } from "./booking-schema.ts";
import { openHold } from "./holds.server.ts";
import { SLOT_TAKEN, takePlannedTime } from "./take-time.server.ts";

export interface BookingOrigin {
  /** The client's address, an IPv6 one as its /64. */
  clientAddress: string;
  /** The booking this browser made last, if any: its repeat is continued, not refused. */
  ownBookingId?: string | null;
  /** A repeat with the same key and body gets the same answer. */
  idempotencyKey?: string | null;
  /** Rupees before GST that the client believes to be the price; absent for the page's form. */
  packagePrice?: number;
}

export interface Booked {
  appointment: Appointment;
  /** True if an earlier booking was continued. */
  repeated: boolean;
  /** The JSON answered the first time, for a repeat under the same idempotency key. */
  storedAnswer?: string;
}

/**
 * Makes a pending appointment that holds its time. Refusals: `validation_failed` (date out of
 * range), `price_changed`, `slot_taken`, `idempotency_conflict`, `rate_limited`.
 */
export function bookSession(
  deps: Pick<Deps, "db" | "env" | "now" | "metrics">,
  input: BookingInput,
  origin: BookingOrigin,
): Outcome<Booked> {
  const booked = tryToBook(deps, input, origin);
  deps.metrics.booking(booked.ok ? (booked.value.repeated ? "repeated" : "booked") : booked.code);
  return booked;
}

function tryToBook(
  deps: Pick<Deps, "db" | "env" | "now">,
  input: BookingInput,
  origin: BookingOrigin,
): Outcome<Booked> {
  const now = deps.now();
  const bodyHash = hashOf(input, origin.packagePrice);
  const price = priceOf(findPackage(input.package)!.price);
  return inTransaction(deps.db, (tx) => {
    if (origin.idempotencyKey) {
      const stored = findStoredAnswer(tx, origin.idempotencyKey);
      if (stored) return answerAgain(tx, stored, bodyHash);
    }
    const refusal = refuseInput(deps, input, origin, price, now);
    if (refusal) return refusal;
    const wish = { ...input, phone: normalisePhone(input.phone) };
    const own = origin.ownBookingId ? findAppointment(tx, origin.ownBookingId) : null;
    if (own && isRepeat(own, wish, now)) return success({ appointment: own, repeated: true });
    const hasPaid = own !== null && isPaid(own);
    return take(deps, tx, wish, price, { ...origin, bodyHash, hasPaid }, now);
  });
}

function take(
  { env }: Pick<Deps, "env">,
  tx: Db,
  wish: BookingInput,
  price: Price,
  origin: BookingOrigin & { bodyHash: string; hasPaid: boolean },
  now: number,
): Outcome<Booked> {
  const counselor = findCounselorByName(wish.counselor)!;
  const { name, email, phone } = wish;
  const contact = { name, email, phone, notes: wish.notes || null };
  const { clientAddress, hasPaid } = origin;
  const holder = { counselorKey: counselor.key, contact, clientAddress, hasPaid };
  const hold = openHold(tx, env, holder, now);
  if (!hold.ok) return hold;
  const plan = readDayPlan(tx, counselor.key, wish.date, now);
  if (!bookableTimes(plan, wish.package, env, now).includes(wish.timeSlot)) return SLOT_TAKEN;
  const id = newId();
  const { date, timeSlot, package: minutes } = wish;
  const booking = {
    id,
    contact,
    ...sessionTimeOf({ counselorKey: counselor.key, date, timeSlot, minutes }),
    counselor: counselor.name,
    price,
    stateCode: wish.state || null,
    window: hold.value,
    calendarUid: newId(),
    clientAddress,
    noticeVersion: NOTICE_VERSION,
  };
  insertAppointment(tx, booking, now);
  const appointment = findAppointment(tx, id)!;
  takePlannedTime(tx, appointment, now);
  if (origin.idempotencyKey) {
    storeAnswer(tx, {
      key: origin.idempotencyKey,
      bodyHash: origin.bodyHash,
      appointmentId: id,
      response: JSON.stringify(appointmentJson(appointment)),
      at: now,
    });
  }
  return success({ appointment, repeated: false });
}

function refuseInput(
  { env }: Pick<Deps, "env">,
  input: BookingInput,
  origin: BookingOrigin,
  price: Price,
  now: number,
): Failure | null {
  if (!isDateOffered(input.date, env, now)) {
    const past = input.date < dateInIndia(now);
    return invalid({
      date: [
        past
          ? "Please select a date that is not in the past"
          : `Please select a date up to ${formatDate(lastDateOffered(env, now))}`,
      ],
    });
  }
  const believed = origin.packagePrice;
  if (believed !== undefined && believed !== rupeesOf(price.basePaise)) {
    const message = `The price of this package is ${formatRupees(price.basePaise)} + GST = ${formatRupees(price.totalPaise)}. Please agree to it and book again.`;
    return failure("price_changed", message, { errors: { packagePrice: [message] } });
  }
  return null;
}

/** The same wish by the same person, still held: Back and double presses meet their own hold. */
function isRepeat(own: Appointment, wish: BookingInput, now: number): boolean {
  return (
    isHeld(own, now) &&
    own.counselor === wish.counselor &&
    own.date === wish.date &&
    own.timeSlot === wish.timeSlot &&
    own.minutes === wish.package &&
    own.contact.name === wish.name &&
    own.contact.phone === wish.phone &&
    own.contact.email.toLowerCase() === wish.email.toLowerCase()
  );
}

function answerAgain(
  tx: Db,
  stored: { bodyHash: string; response: string },
  bodyHash: string,
): Outcome<Booked> {
  const { id } = JSON.parse(stored.response) as { id: string };
  const appointment = findAppointment(tx, id);
  if (stored.bodyHash !== bodyHash || !appointment) {
    return failure(
      "idempotency_conflict",
      "This key was used for another booking. Please send a new key.",
    );
  }
  return success({ appointment, repeated: true, storedAnswer: stored.response });
}

function hashOf(input: BookingInput, packagePrice: number | undefined): string {
  const fields = Object.entries({ ...input, packagePrice }).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}
