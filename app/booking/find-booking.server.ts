/**
 * Mails the links of an address's bookings to that address. The answer never tells whether there
 * are any: it is the same, and comes after the same time.
 */
import { createHmac } from "node:crypto";
import type { Deps } from "#app/lib/deps.server.ts";
import type { Env } from "#app/lib/env.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { countLinkMails, listBookingsOfAddress } from "#db/queries/booking-links.server.ts";

const DAY = 86_400_000;
const PAST_DAYS = 90;
/** More than anybody books, so that one mail stays readable. */
const MOST_LINKS = 50;
const BETWEEN_MAILS_MS = 60_000;
const MAILS_A_DAY = 5;
/** Longer than the work takes, also when a mail is queued. */
const ANSWER_MS = 250;

/**
 * Queues one mail with the links of the last 90 days and of everything ahead; none if the address
 * got one within the last minute, or its share of the day. `email` has passed the form's schema.
 */
export async function mailBookingLinks(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  email: string,
): Promise<void> {
  const answered = new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  const queued = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    const bookings = listBookingsOfAddress(tx, email, now - PAST_DAYS * DAY, MOST_LINKS);
    const addressKey = keyOf(deps.env, email);
    const sent = countLinkMails(tx, addressKey, now - DAY);
    const tooSoon = sent.newest !== null && sent.newest > now - BETWEEN_MAILS_MS;
    const [newest] = bookings;
    if (!newest || tooSoon || sent.count >= MAILS_A_DAY) return false;
    queueMessages(tx, deps.env, now, {
      type: "booking_links",
      requestId: `${addressKey}:${now}`,
      // As stored: what is typed here never becomes a recipient.
      email: newest.email,
      appointmentIds: bookings.map((booking) => booking.id),
    });
    return true;
  });
  if (queued) deps.wake();
  await answered;
}

/** The address is in the message's cause by its keyed hash, where its mails are counted. */
function keyOf({ sessionSecret }: Env, email: string): string {
  return createHmac("sha256", sessionSecret)
    .update(`booking-links:${email.trim().toLowerCase()}`)
    .digest("base64url")
    .slice(0, 22);
}
