/** What is said in a mail or a WhatsApp message, and what must hold when it goes out. */
import { DAY, HOUR } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import type { BookedDispute } from "./money-books.ts";
import type { BookingFacts, Sent } from "./money-facts.ts";
import type { MoneyWorld } from "./money-world.ts";

/** `booking` is null for what is about none, or about one that nobody here made. */
interface Said {
  world: MoneyWorld;
  sent: Sent;
  booking: BookingFacts | null;
  /** In the sentence, else 0. */
  amountPaise: number;
}

interface Sentence {
  name: string;
  words: RegExp;
  holds(said: Said): boolean;
}

const AMOUNT = "(₹[\\d,]+(?:\\.\\d\\d)?)";
/** Not of a second payment, nor of one of a wrong amount. */
const REFUND = `(?:send|sent|sending|pay|paid|The refund of|has returned) ${AMOUNT} (?:back to you|to your bank|to you|did not go)`;

const SENTENCES: readonly Sentence[] = [
  {
    name: "the time was gone",
    words: /the session was no longer free/,
    holds: (said) =>
      !hasBegun(said) && (said.world.restoredAt !== null || !said.booking?.cancelled),
  },
  {
    name: "the session had begun",
    words: /arrived after the session's starting time/,
    holds: (said) => hasBegun(said) ?? true,
  },
  {
    name: "we cancelled it",
    words: /We cancelled this session/,
    holds: ({ booking }) => booking === null || booking.cancelled?.by === "business",
  },
  {
    name: "the customer cancelled it",
    words: /You cancelled this session/,
    holds: ({ booking }) => booking === null || booking.cancelled?.by === "customer",
  },
  {
    name: "a refund was sent to the bank",
    words: new RegExp(`Razorpay has sent ${AMOUNT} to your bank`),
    holds: (said) =>
      refundsOf(said).some((one) => one.wasProcessed && one.amountPaise === said.amountPaise),
  },
  {
    name: "a refund was accepted",
    words: new RegExp(`Razorpay is sending ${AMOUNT} back to you`),
    holds: (said) => refundsOf(said).some((one) => one.amountPaise === said.amountPaise),
  },
  {
    name: "a refund was paid back by hand",
    words: new RegExp(`We have paid ${AMOUNT} back to you`),
    holds: (said) =>
      said.world.handedBack.some(
        ({ paymentId, amountPaise }) =>
          amountPaise === said.amountPaise && paymentsOf(said).includes(paymentId),
      ),
  },
  {
    name: "a refund is paid back by hand",
    words: new RegExp(`We will pay ${AMOUNT} back to you ourselves`),
    holds: (said) => paymentsOf(said).some(isOfflinePayment),
  },
  {
    name: "the money of a cancellation is its own",
    words: new RegExp(REFUND),
    holds: (said) => {
      const { sent, booking, amountPaise } = said;
      if (sent.kind !== "booking_cancelled" || !booking?.cancelled?.wasPaid) return true;
      const { backPaise } = booking.cancelled;
      if (backPaise === "all" || amountPaise <= backPaise) return true;
      // More went back in the dashboard, in its place.
      return refundsOf(said).some((one) => one.receipt === null && one.amountPaise === amountPaise);
    },
  },
  {
    name: "nothing goes back",
    words: /There is no (?:further )?refund, because the session was cancelled after/,
    holds: ({ booking }) => booking === null || booking.cancelled?.backPaise === 0,
  },
  {
    name: "nothing was paid",
    words: /You had not paid, so there is nothing to refund/,
    holds: ({ booking }) => booking?.cancelled?.wasPaid !== true,
  },
  {
    name: "please pay again",
    words: /please pay again|Please pay again/,
    holds: ({ world, sent }) => statusOf(world, sent.appointmentId) === "pending_payment",
  },
  {
    name: "the session stands",
    words: /Nothing changes for your session|It changes nothing about your session/,
    holds: ({ world, sent }) => {
      const status = statusOf(world, sent.appointmentId);
      // It took place, and is deleted since.
      if ((sent.data.appointment?.endsAt ?? Infinity) <= sent.at) return true;
      return sent.channel === "whatsapp" || status === "confirmed" || status === "rescheduled";
    },
  },
  {
    name: "the balance is too low",
    words: /balance at Razorpay is too low/,
    holds: ({ sent }) => !isOfflinePayment(sent.data.paymentId ?? ""),
  },
  {
    name: "a dispute is to be answered",
    words: /Answer it in Razorpay's dashboard/,
    holds: ({ world, sent }) => {
      const dispute = world.books.disputes.find(
        ({ disputeId }) => disputeId === sent.data.disputeId,
      );
      return dispute === undefined || isOpenAt(dispute, sent.queuedAt);
    },
  },
];

/** It runs, or has run until a moment ago. */
function isOpenAt({ steps }: BookedDispute, at: number): boolean {
  return steps.some(({ at: from, status }, i) => {
    const until = steps[i + 1]?.at ?? Infinity;
    return (status === "open" || status === "under_review") && from <= at && at <= until + HOUR;
  });
}

/** Checks every known sentence in the message, and the moment when it goes out. */
export function checkSent(world: MoneyWorld, sent: Sent): void {
  const booking = world.bookings.get(sent.appointmentId ?? "") ?? null;
  for (const { name, words, holds } of SENTENCES) {
    for (const [, amount] of sent.text.matchAll(new RegExp(words, "g"))) {
      const amountPaise = amount === undefined ? 0 : paiseOf(amount);
      if (holds({ world, sent, booking, amountPaise })) continue;
      world.wrong("every sentence is true", `${sent.kind} ${sent.channel}: ${name}`);
    }
  }
  checkMoment(world, sent);
  if (isSaidAgain(world, sent)) {
    world.wrong("nothing is said twice", `${sent.kind} ${sent.channel}`);
  }
}

/** To the same address within a day. A refund that failed again is announced again. */
function isSaidAgain({ sent: all, restoredAt }: MoneyWorld, sent: Sent): boolean {
  if (sent.audience === "admin" || sent.kind === "refund_under_way") return false;
  if (restoredAt !== null) return false;
  const nameOf = ({ kind, channel, recipient, appointmentId, text, data }: Sent) =>
    JSON.stringify([kind, channel, recipient, appointmentId, text, data]);
  const recent = all.filter(({ at, kind }) => kind === sent.kind && at > sent.at - DAY);
  return recent.filter((one) => nameOf(one) === nameOf(sent)).length > 1;
}

/** A reminder comes within its span before the session. */
function checkMoment(world: MoneyWorld, { kind, appointmentId, at }: Sent): void {
  const span = kind === "reminder_24h" ? DAY : kind === "reminder_1h" ? HOUR : null;
  if (span === null) return;
  const row = world.db.firstRaw<{ starts_at: number }>(
    "SELECT starts_at FROM appointment WHERE id = ?",
    [appointmentId],
  );
  if (row && row.starts_at - at > span) world.wrong("a reminder comes when it is due", kind);
}

export function paiseOf(amount: string): number {
  return Math.round(Number(amount.replace(/[₹,]/g, "")) * 100);
}

function statusOf(world: MoneyWorld, id: string | null): string | undefined {
  const status = "SELECT status FROM appointment WHERE id = ?";
  return world.db.firstRaw<{ status: string }>(status, [id])?.status;
}

/** When the message was queued; null of a booking that is gone. */
function hasBegun({ world, sent }: Said): boolean | null {
  const starts = "SELECT starts_at FROM appointment WHERE id = ?";
  const row = world.db.firstRaw<{ starts_at: number }>(starts, [sent.appointmentId]);
  return row ? sent.queuedAt >= row.starts_at : null;
}

function paymentsOf({ world, sent }: Said): string[] {
  return world.paymentsOf(sent.appointmentId ?? "");
}

function refundsOf(said: Said) {
  const ids = paymentsOf(said);
  return said.world.books.refunds.filter(({ paymentId }) => ids.includes(paymentId));
}
