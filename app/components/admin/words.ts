/** The states that only the admin reads, in words. */
import type { MessageState, PaymentOutcome, RefundState } from "#db/tables.ts";

export const PAYMENT_WORDS: Readonly<Record<PaymentOutcome, string>> = {
  authorized: "Not captured yet",
  failed: "Failed, no money taken",
  applied: "Paid",
  assigned: "Paid (assigned by an admin)",
  second: "Second payment, goes back",
  wrong_amount: "Wrong amount, goes back",
  late: "Came too late, goes back",
  unmatched: "Belongs to no booking",
  returned: "Sent back by an admin",
};

export const REFUND_STATE_WORDS: Readonly<Record<RefundState, string>> = {
  wanted: "Refund wanted",
  sent: "Refund sent to the provider",
  pending: "Refund accepted, the provider is working on it",
  processed: "Refunded",
  failed: "Refund failed",
  needs_person: "Refund needs a person",
};

export const MESSAGE_STATE_WORDS: Readonly<Record<MessageState, string>> = {
  queued: "Queued",
  retrying: "Trying again",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  failed: "Failed",
};

export const CHANNEL_WORDS = { email: "Email", whatsapp: "WhatsApp" } as const;
