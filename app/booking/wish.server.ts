/** What a visitor wishes to book, beside what their browser has booked. */
import { isDeepStrictEqual } from "node:util";
import { type Appointment, type Company, isHeld } from "#app/model/appointment.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import type { BookingInput } from "./booking-fields.ts";

/** As it is stored: the phone in E.164. */
export function wishOf(input: BookingInput): BookingInput {
  return { ...input, phone: normalisePhone(input.phone) };
}

/** Still held as wished for: Back and double presses meet their own hold. */
export function isRepeat(own: Appointment, wish: BookingInput, now: number): boolean {
  return (
    isHeld(own, now) &&
    isSamePerson(own, wish) &&
    own.counselor === wish.counselor &&
    own.date === wish.date &&
    own.timeSlot === wish.timeSlot &&
    own.minutes === wish.package &&
    own.contact.name === wish.name &&
    (own.contact.notes ?? "") === (wish.notes ?? "") &&
    isDeepStrictEqual(own.company, companyOf(wish)) &&
    (own.company !== null || (own.stateCode ?? "") === (wish.state ?? ""))
  );
}

/** Null without one; the schema lets all three through or none. */
export function companyOf({ gstin, billingName, billingAddress }: BookingInput): Company | null {
  if (!gstin || !billingName || !billingAddress) return null;
  return { gstin, name: billingName, address: billingAddress };
}

/** One phone and one e-mail address; the name may be written otherwise. */
export function isSamePerson({ contact }: Appointment, { email, phone }: BookingInput): boolean {
  return contact.phone === phone && contact.email.toLowerCase() === email.toLowerCase();
}
