/** The states that only the admin reads, in words. */

import type { MessageState, PaymentOutcome } from "#app/model/statuses.ts";
import { wording } from "#app/model/unknown-code.ts";

export { channelWords } from "#app/model/wording.ts";

export const STAFF_NOTE = "Staff note, never shown to the customer";

export const paymentWords = wording<PaymentOutcome>({
  authorized: "Not captured yet",
  failed: "Failed, no money taken",
  applied: "Paid",
  assigned: "Paid (assigned by an admin)",
  second: "Second payment, goes back",
  wrong_amount: "Wrong amount, goes back",
  time_gone: "Came too late for its time, goes back",
  booking_cancelled: "Came for a cancelled booking, goes back",
  session_begun: "Came after the session had begun, goes back",
  unmatched: "Belongs to no booking",
  returned: "Sent back by an admin",
});

export const messageStateWords = wording<MessageState>({
  queued: "Queued",
  retrying: "Trying again",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  failed: "Failed",
  held_back: "Held back",
});
