/** The entries of an unpaid booking, to fill the booking form again in the browser that made it. */
import { findOwnBooking } from "#app/booking/booking-page.server.ts";
import { readOwnToken } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";

/** By field of the form; empty unless the booking is unpaid and the last one of this browser. */
export async function typedBefore(
  { db, env }: ReadDeps,
  request: Request,
  bookingId: string,
): Promise<Record<string, string>> {
  const own = findOwnBooking(db, await readOwnToken(env, request));
  return own?.id === bookingId && own.status === "pending_payment" ? entriesOf(own) : {};
}

function entriesOf(booking: Appointment): Record<string, string> {
  const { contact, student, company, abroad, stateCode, whatsapp } = booking;
  const entries = {
    ...contact,
    state: stateCode,
    gstin: company?.gstin,
    billingName: company?.name ?? abroad?.name,
    billingAddress: company?.address ?? abroad?.address,
    country: abroad?.country,
    forWhom: student && "other",
    studentName: student?.name,
    underEighteen: student?.under18 && "on",
    relation: student?.relation,
    noWhatsApp: !whatsapp && "on",
  };
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
