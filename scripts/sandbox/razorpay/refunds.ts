import { randomInt } from "node:crypto";
import type { Clock } from "#scripts/sandbox/clock.ts";
import type { Switches } from "#scripts/sandbox/switches.ts";
import {
  type Dispute,
  type LedgerEvent,
  newDispute,
  newRefund,
  type Payment,
  type Refund,
  WEEK,
} from "./entities.ts";
import { ApiError, type NewRefund, refuseIf } from "./input.ts";
import type { Ledger } from "./ledger.ts";

interface KeyRecord {
  payload: string;
  /** undefined while the first call runs. */
  answer?: { status: number; body: string };
}

const LOW_BALANCE =
  "Your account does not have enough balance to carry out the refund operation. You can add funds to your account from your Razorpay dashboard or capture new payments.";

/** Refunds, their idempotency keys, and disputes. */
export function makeRefundDesk(ledger: Ledger, clock: Clock, switches: Switches) {
  const keys = new Map<string, KeyRecord>();
  ledger.returnUncaptured = (payment) => {
    const refund = open(payment, payment.amount - payment.amount_refunded, {}, false);
    return eventsOf(refund, "refund.created", "refund.processed");
  };

  function create(payment: Payment, request: NewRefund): Refund {
    const amount = checkedAmount(payment, request.amount);
    const { order_id: subject } = payment;
    if (switches.take("refund_low_balance", subject)) throw new ApiError(LOW_BALANCE);
    if (switches.take("refund_invalid_request", subject)) {
      throw new ApiError("invalid request sent");
    }
    const stays = switches.take("refund_stays_pending", subject);
    const fails = switches.amount("refund_fails_later", subject);
    const starts = switches.amount("refund_starts_pending", subject);
    const later = fails ?? starts;
    const pending = Boolean(stays) || later !== undefined;
    const refund = open(payment, amount, request, pending);
    const names = pending ? ["refund.created"] : ["refund.created", "refund.processed"];
    if (switches.take("refund_only_processed_event", subject)) names.shift();
    ledger.publish(eventsOf(refund, ...names));
    if (later !== undefined && !stays) {
      clock.after(later * 1000, () => {
        // It may have been ended by hand.
        if (refund.status !== "pending") return;
        if (fails === undefined) process(refund);
        else fail(refund);
      });
    }
    return refund;
  }

  function process(refund: Refund): void {
    const acquirer_data = { rrn: String(randomInt(1e11, 1e12)) };
    Object.assign(refund, { status: "processed", speed_processed: "normal", acquirer_data });
    ledger.publish(eventsOf(refund, "refund.processed"));
  }

  /** A failed refund gives the amount back to the payment, so that it can be refunded again. */
  function fail(refund: Refund): void {
    const payment = ledger.requirePayment(refund.payment_id);
    Object.assign(refund, { status: "failed", speed_processed: null });
    payment.amount_refunded -= refund.amount;
    payment.status = "captured";
    payment.refund_status = payment.amount_refunded > 0 ? "partial" : null;
    ledger.publish(eventsOf(refund, "refund.failed"));
  }

  /** What the first call with this key was answered; undefined if this is the first. */
  function takeKey(key: string, payload: string): KeyRecord["answer"] {
    refuseIf(key.length < 10, "The idempotency key must be at least 10 characters long.");
    const signs =
      "The idempotency key must only contain alphanumeric characters, underscores, and hyphens";
    refuseIf(!/^[A-Za-z0-9_-]+$/.test(key), signs);
    const known = keys.get(key);
    const busy = known && known.payload === payload && !known.answer;
    if (busy || switches.take("refund_409_in_progress", payload)) {
      const words = "Another request with the same idempotency key is still in progress.";
      throw new ApiError(words, { status: 409 });
    }
    const other = known && known.payload !== payload;
    if (other || switches.take("refund_409_different", payload)) {
      const words = "Different request with the same idempotency key has already been processed.";
      throw new ApiError(words, { status: 409 });
    }
    if (!known) keys.set(key, { payload });
    return known?.answer;
  }

  /** Only successes are kept, so that a refund refused for low balance can be tried again with its key. */
  function settleKey(key: string, status: number, body: string): void {
    const record = keys.get(key);
    const keep = status < 400 || switches.take("refund_remember_errors", key);
    if (record && keep) record.answer = { status, body };
    else keys.delete(key);
    ledger.onChange();
  }

  function openDispute(payment: Payment): Dispute {
    if (!payment.captured) throw new ApiError("Only a captured payment can be disputed");
    const dispute = newDispute(payment, clock.seconds());
    ledger.disputes.set(dispute.id, dispute);
    ledger.publish([ledger.event("payment.dispute.created", payment, { dispute })]);
    return dispute;
  }

  /** Banks move a dispute into any state; one that opens again has another week for its answer. */
  function moveDispute(dispute: Dispute, to: Partial<Dispute>): Dispute {
    const { phase = dispute.phase, status = dispute.status } = to;
    const { amount_deducted = status === "lost" ? dispute.amount : 0 } = to;
    Object.assign(dispute, { phase, status, amount_deducted });
    if (status === "open") dispute.respond_by = clock.seconds() + WEEK;
    const payment = ledger.requirePayment(dispute.payment_id);
    const name = `payment.dispute.${status === "open" ? "action_required" : status}`;
    ledger.publish([ledger.event(name, payment, { dispute })]);
    return dispute;
  }

  function eventsOf(refund: Refund, ...names: string[]): LedgerEvent[] {
    const payment = ledger.requirePayment(refund.payment_id);
    return names.map((name) => ledger.event(name, payment, { refund }));
  }

  function open(payment: Payment, amount: number, request: NewRefund, pending: boolean): Refund {
    const refund = newRefund(payment, { ...request, amount }, pending, clock.seconds());
    ledger.refunds.set(refund.id, refund);
    payment.amount_refunded += amount;
    const full = payment.amount_refunded >= payment.amount;
    payment.refund_status = full ? "full" : "partial";
    if (full) payment.status = "refunded";
    return refund;
  }

  return { keys, create, process, takeKey, settleKey, openDispute, moveDispute };
}

function checkedAmount(payment: Payment, wanted: number | undefined): number {
  refuseIf(payment.refund_status === "full", "The payment has been fully refunded already");
  refuseIf(!payment.captured, "The payment status should be captured for action to be taken");
  const left = payment.amount - payment.amount_refunded;
  const amount = wanted ?? left;
  refuseIf(amount < 100, "The amount must be at least INR 1.00.", "amount");
  const captured = "The refund amount provided is greater than amount captured";
  refuseIf(amount > payment.amount, captured);
  const tooMuch = "The total refund amount is greater than the refund payment amount";
  refuseIf(amount > left, tooMuch);
  return amount;
}
