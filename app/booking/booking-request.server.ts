/** A visitor's booking request, compared with what their browser has booked already. */
import { isDeepStrictEqual } from "node:util";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { type Abroad, type Appointment, type Company, isHeld } from "#app/model/appointment.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import { MINUTE } from "#app/model/dates.ts";
import { OUTSIDE_INDIA, stateOfGstin } from "#app/model/gstin.ts";
import { formatRupees, type Price, rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, invalid } from "#app/model/outcome.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findNewestHold, findStoredAnswer } from "#db/queries/holds.server.ts";
import type { BookingInput } from "./booking-fields.ts";
import { findOwnBooking } from "./booking-page.server.ts";
import { studentOf } from "./student-fields.ts";

/** The request as it is stored, with the phone number in E.164. */
export function requestOf(input: BookingInput): BookingInput {
  return { ...input, phone: normalisePhone(input.phone) };
}

export interface BookingOrigin {
  /** The client's IP address; for IPv6 its /64. */
  clientAddress: string;
  /** The browser's token, which finds its last booking. */
  ownToken?: string | null;
  /** The id of that booking if a payment for it is under way. */
  underWay?: string | null;
  /** Of the page's form: whether it says that the visitor's last booking is paid. */
  knowsPaid?: boolean | undefined;
  /** A repeated request with the same key and body gets the same response. */
  idempotencyKey?: string | null;
  /** True for the page's form, which may be submitted twice before the browser has its token. */
  isForm?: boolean;
  /** The price in rupees before GST that an API client expects. */
  packagePrice?: number;
  /** The total in rupees with GST that the page showed. */
  shownTotal?: number;
  /** Until so many hours before the start the page said that one may move or cancel. */
  shownCutoff?: number | undefined;
}

type Expected = Pick<BookingOrigin, "packagePrice" | "shownTotal">;

/** True if the expected price is this one, or none was given. */
function namesPrice({ packagePrice, shownTotal }: Expected, price: Price): boolean {
  const base = rupeesOf(price.basePaise);
  const total = rupeesOf(price.totalPaise);
  return (packagePrice ?? base) === base && (shownTotal ?? total) === total;
}

/** Refuses another price than the expected one; `agree` says who has to agree to it. */
export function refusePrice(expected: Expected, price: Price, agree: string): Failure | null {
  if (namesPrice(expected, price)) return null;
  const message = `The price of this package is ${formatRupees(price.basePaise)} + GST = ${formatRupees(price.totalPaise)}. If ${agree} to it, please book again.`;
  return failure("price_changed", message, { errors: { packagePrice: [message] } });
}

/** True if the booking is still held and is for the same, except for the captain. */
export function isRepeat(own: Appointment, request: BookingInput, now: number): boolean {
  return (
    isHeld(own, now) &&
    isSamePerson(own, request) &&
    own.date === request.date &&
    own.timeSlot === request.timeSlot &&
    own.minutes === request.package &&
    own.contact.name === request.name &&
    (own.contact.notes ?? "") === (request.notes ?? "") &&
    own.whatsapp === agreesToWhatsApp(request) &&
    isDeepStrictEqual(own.student, studentOf(request)) &&
    isDeepStrictEqual(own.company, companyOf(request)) &&
    isDeepStrictEqual(own.abroad, abroadOf(request)) &&
    (own.company !== null || (own.stateCode ?? "") === (request.state ?? ""))
  );
}

/** True unless the visitor opted out; the notice beside the button announces the messages. */
export function agreesToWhatsApp({ whatsapp }: Pick<BookingInput, "whatsapp">): boolean {
  return whatsapp !== false;
}

/** Null without a company; the schema accepts all three fields or none. */
export function companyOf({ gstin, billingName, billingAddress }: BookingInput): Company | null {
  if (!gstin || !billingName || !billingAddress) return null;
  return { gstin, name: billingName, address: billingAddress };
}

/** What a booking keeps of its request, but for captain, time and price. */
export function detailsOf(request: BookingInput) {
  const { name, email, phone, notes } = request;
  return {
    contact: { name, email, phone, notes: notes || null },
    student: studentOf(request),
    company: companyOf(request),
    abroad: abroadOf(request),
    stateCode: stateCodeOf(request),
  };
}

/** The company's GST state code, else the one given, else null. */
function stateCodeOf(request: BookingInput): string | null {
  const company = companyOf(request);
  return company ? stateOfGstin(company.gstin) : request.state || null;
}

/** Null for a customer in India; for others the schema requires country and address. */
function abroadOf(request: BookingInput): Abroad | null {
  const { country, billingAddress: address, billingName } = request;
  if (stateCodeOf(request) !== OUTSIDE_INDIA || !country || !address) return null;
  return { country, address, name: billingName || null };
}

/** The business cannot issue an invoice to itself. */
export function refuseOwnGstin(
  { gstin }: Pick<BookingInput, "gstin">,
  { business }: Pick<Env, "business">,
): Failure | null {
  if (!gstin || gstin !== business.gstin) return null;
  return invalid({ gstin: ["This is our own GSTIN. Please enter the customer’s company."] });
}

/** Same phone and e-mail address; the name may be spelled differently. */
export function isSamePerson({ contact }: Appointment, { email, phone }: BookingInput): boolean {
  return contact.phone === phone && contact.email.toLowerCase() === email.toLowerCase();
}

/** A form sent again within this time counts as submitted twice. */
const SUBMITTED_TWICE_MS = 2 * MINUTE;

/**
 * The booking that already holds what is requested at the expected price and under the rule shown,
 * made by this browser or by the first of two submissions; null without one.
 */
export function heldAsRequested(
  db: Db,
  input: BookingInput,
  origin: BookingOrigin,
  now: number,
): Appointment | null {
  const own = findOwnBooking(db, origin.ownToken ?? null);
  if (!own && !origin.isForm) return null;
  const captain = findCounselorByName(readCatalogue(db), input.counselor);
  if (!captain) return null;
  const request = requestOf(input);
  const isMatch = (one: Appointment) =>
    one.counselorKey === captain.key &&
    namesPrice(origin, one.price) &&
    (origin.shownCutoff ?? one.cutoffHours) === one.cutoffHours &&
    isRepeat(one, request, now);
  if (own && isMatch(own)) return own;
  if (!origin.isForm) return null;
  const { date, timeSlot } = request;
  const { clientAddress } = origin;
  const since = now - SUBMITTED_TWICE_MS;
  const newest = { counselorKey: captain.key, date, timeSlot, clientAddress, since };
  const id = findNewestHold(db, newest);
  const first = id === null ? null : findAppointment(db, id);
  return first && isMatch(first) ? first : null;
}

/** The browser's unpaid booking that this request would change, or null. */
export function bookingToChange(
  deps: ReadDeps,
  input: BookingInput,
  origin: BookingOrigin,
): Appointment | null {
  const { idempotencyKey, ownToken = null } = origin;
  if (idempotencyKey && findStoredAnswer(deps.db, idempotencyKey)) return null;
  const own = findOwnBooking(deps.db, ownToken);
  if (own?.status !== "pending_payment") return null;
  return heldAsRequested(deps.db, input, origin, deps.now()) ? null : own;
}
