/** Judges what a payment means for its order and booking, before anything is written. Pure. */
import type { TimeLeft } from "#app/booking/payment-window.ts";
import type { ProviderPayment } from "#app/core/services.ts";
import { isPaid } from "#app/model/appointment.ts";
import { moneyOf, sameMoney } from "#app/model/money.ts";
import type { AppointmentStatus, PaymentOutcome, TooLate } from "#app/model/statuses.ts";

export type NoMoneyYet = "authorized" | "failed";

/** All of it goes back to the customer. */
export type GoesBack = "second" | "wrong_amount" | TooLate;

export type Judgement =
  | NoMoneyYet
  /**
   * It pays the booking: the hold still runs, or has ended (a late payment) and the time is still
   * free.
   */
  | "applied"
  | GoesBack
  /** Money for an order that no appointment knows: it waits for the admin. */
  | "unmatched"
  /** Refunded before it was ever seen here: nothing is kept and nothing is owed. */
  | "returned";

/** What an order is for: the booking as it is now, which may have moved to another price since. */
export interface Ordered {
  pricePaise: number;
  status: AppointmentStatus;
  time: TimeLeft;
}

/** `ordered` is null for a payment of no appointment; the order alone decides whose it is. */
export function judgePayment(payment: ProviderPayment, ordered: Ordered | null): Judgement {
  if (!isMoney(payment)) return payment.status === "failed" ? "failed" : "authorized";
  if (isReturned(payment)) return "returned";
  if (ordered === null) return "unmatched";
  if (isPaid(ordered)) return "second";
  if (ordered.status !== "pending_payment") return "booking_cancelled";
  if (!sameMoney(payment, moneyOf(ordered.pricePaise))) return "wrong_amount";
  if (ordered.time === "begun") return "session_begun";
  if (ordered.time === "gone") return "time_gone";
  return "applied";
}

/** All of it has gone back. */
function isReturned({ refundedPaise, amountPaise }: ProviderPayment): boolean {
  return refundedPaise >= amountPaise;
}

/** Captured money; `refunded` is money that was captured and has gone back whole. */
export function isMoney({ status }: Pick<ProviderPayment, "status">): boolean {
  return status === "captured" || status === "refunded";
}

/**
 * True if the payment is not to be judged again. One that was refunded before it was ever seen is
 * judged again if that refund fails.
 */
export function isDealtWith(
  outcome: PaymentOutcome,
  payment: ProviderPayment,
  isPromised: boolean,
): boolean {
  if (outcome === "returned") return isPromised || isReturned(payment);
  return isSettled(outcome);
}

/** False while a payment is no money yet. */
export function isSettled(outcome: PaymentOutcome): boolean {
  return outcome !== "authorized" && outcome !== "failed";
}
