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
  late: "Came too late, goes back",
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

/** How a dispute stands, in the provider's phases. */
export const disputeWords = wording({
  created: "Disputed: the customer's bank asks for the money back",
  action_required: "Disputed: the provider waits for our evidence",
  under_review: "Disputed: the bank looks at our evidence",
  won: "Dispute won",
  lost: "Dispute lost, the bank took the money back",
  closed: "Dispute closed",
});
