/**
 * Mails the links of an address's bookings to that address. The answer never reveals whether there
 * are any: it is always the same, after the same time.
 */
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { elsewhere } from "#app/core/work-queue.server.ts";
import { DAY } from "#app/model/duration.ts";
import { newId } from "#app/model/ids.ts";
import type { Failure } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { listBookingsOfAddress } from "#db/queries/appointments.server.ts";
import { countRecentMails } from "#db/queries/message-leases.server.ts";

const TOO_MANY =
  "Too many links were asked for from your network today. Please try again tomorrow, or write to us.";
const PAST_DAYS = 90;
/** More than anybody books; keeps one mail readable. */
const MOST_LINKS = 50;
const BETWEEN_MAILS_MS = 60_000;
/** Milliseconds; longer than the work takes, even when a mail is queued. */
const ANSWER_MS = 250;

const counters = countersByEnv({ asked: { points: 200, windowMs: DAY } });

/**
 * Queues one mail with the links of the last 90 days and of everything ahead; none if the address
 * got one within the last minute. `email` has passed the form's schema. Refusal: `rate_limited` for
 * a client that asks too often in a day.
 */
export async function mailBookingLinks(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  email: string,
  clientAddress: string,
): Promise<Failure | null> {
  const tooMany = takeOne(deps, counters(deps.env).asked, { from: clientAddress }, TOO_MANY);
  if (tooMany) return tooMany;
  const answered = new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  const queued = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    const bookings = listBookingsOfAddress(tx, email, now - PAST_DAYS * DAY, MOST_LINKS);
    const [newest] = bookings;
    if (!newest) return false;
    if (countRecentMails(tx, "booking_links", email, now - BETWEEN_MAILS_MS) > 0) return false;
    queueMessages(tx, deps.env, now, {
      type: "booking_links",
      requestId: newId(),
      // As stored: the typed address never becomes a recipient.
      email: newest.email,
      appointmentIds: bookings.map((booking) => booking.id),
    });
    return true;
  });
  if (queued) deps.wake();
  await elsewhere(answered);
  return null;
}
