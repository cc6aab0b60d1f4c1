/**
 * Mails the links of bookings, found by e-mail address or phone number, to the address of each
 * booking. The response never reveals whether there are any: it is always the same, after the same
 * time.
 */
import { countersByEnv, takeOne } from "#app/core/counters.server.ts";
import type { ChangeDeps, ReadDeps } from "#app/core/deps.server.ts";
import { elsewhere } from "#app/core/work-queue.server.ts";
import { DAY, MINUTE } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import type { Failure } from "#app/model/outcome.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { type ContactAsked, listBookingsOf } from "#db/queries/customers.server.ts";
import { countRecentMails } from "#db/queries/message-leases.server.ts";

const TOO_MANY =
  "Too many links were asked for from your network today. Please try again tomorrow, or write to us.";
const PAST_DAYS = 90;
/** More than anybody books; keeps one mail readable. */
const MOST_LINKS = 50;
const BETWEEN_MAILS_MS = MINUTE;
/** A phone number may appear in bookings with several e-mail addresses. */
const MOST_ADDRESSES = 3;
/** Milliseconds; longer than the work takes, even when a mail is queued. */
const ANSWER_MS = 250;

const counters = countersByEnv({
  asked: { points: 200, windowMs: DAY },
  phoneMinute: { points: 1, windowMs: MINUTE },
  phoneDay: { points: 3, windowMs: DAY },
});

/**
 * Queues a mail with the links of all bookings since 90 days ago, to each address on bookings with
 * this e-mail address or phone number. Skips an address that was mailed within the last minute, and
 * a phone number that was asked for within the last minute or three times in a day. `asked` has
 * passed the form's schema. Refusal: `rate_limited` for a client that asks too often in a day.
 */
export async function mailBookingLinks(
  deps: ChangeDeps,
  asked: { email?: string | undefined; phone?: string | undefined },
  clientAddress: string,
): Promise<Failure | null> {
  const tooMany = takeOne(deps, counters(deps.env).asked, { from: clientAddress }, TOO_MANY);
  if (tooMany) return tooMany;
  const answered = new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  const { email } = asked;
  const phone = asked.phone && normalisePhone(asked.phone);
  const queued = inTransaction(deps.db, (tx) => {
    const byEmail = email ? queueLinks(deps, tx, { email }) : 0;
    if (!phone || !mayAskBy(deps, phone)) return byEmail;
    // A number of an unknown numbering plan may have been stored as typed.
    const numbers = new Set([phone, asked.phone!.trim()]);
    return [...numbers].reduce((sum, one) => sum + queueLinks(deps, tx, { phone: one }), byEmail);
  });
  if (queued > 0) deps.wake();
  await elsewhere(answered);
  return null;
}

/** Unknown phone numbers count too. */
function mayAskBy(deps: ReadDeps, phone: string): boolean {
  const { phoneMinute, phoneDay } = counters(deps.env);
  const takeBy = (counter: typeof phoneDay) => takeOne(deps, counter, { about: phone }, TOO_MANY);
  return (takeBy(phoneMinute) ?? takeBy(phoneDay)) === null;
}

/** Returns how many mails were queued. */
function queueLinks({ env, now }: ReadDeps, tx: Db, asked: ContactAsked): number {
  const at = now();
  const bookings = listBookingsOf(tx, asked, at - PAST_DAYS * DAY, MOST_LINKS);
  const byAddress = Map.groupBy(bookings, ({ email }) => email.toLowerCase());
  const due = [...byAddress.values()]
    .slice(0, MOST_ADDRESSES)
    // The address as stored: what was typed never becomes a recipient.
    .map((own) => ({ email: own[0]!.email, appointmentIds: own.map(({ id }) => id) }))
    .filter(
      ({ email }) => countRecentMails(tx, "booking_links", email, at - BETWEEN_MAILS_MS) === 0,
    );
  for (const mail of due) {
    queueMessages(tx, env, at, { type: "booking_links", requestId: newId(), ...mail });
  }
  return due.length;
}
