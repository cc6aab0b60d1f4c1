/** The booking form filled again after a hold that has lapsed, for the browser that made it. */
import { findOwnBooking } from "#app/booking/booking-page.server.ts";
import { readOwnToken } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";

/**
 * What was typed for this booking, by field of the form, if it is the one that the browser holds or
 * held last; nothing in any other browser, nor once it is paid or cancelled.
 */
export async function typedBefore(
  { db, env }: Pick<Deps, "db" | "env">,
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
