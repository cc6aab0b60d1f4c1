/** What a payment does to its booking. Idempotent, in any order, forward only. */
import { refuseErased } from "#app/booking/change-rules.ts";
import { confirmAppointment } from "#app/booking/confirm-appointment.server.ts";
import { takeForGood, timeLeft } from "#app/booking/take-time.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ProviderPayment } from "#app/core/services.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { PaymentOutcome } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { wasErased } from "#db/queries/erasures.server.ts";
import { releaseTime } from "#db/queries/hours.server.ts";
import {
  advanceOrder,
  findOrder,
  findPayment,
  listRefundsOfPayment,
  type Payment,
  savePayment,
  updatePayment,
} from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refunds.server.ts";
import { type GoesBack, isDealtWith, isMoney, isSettled, judgePayment } from "./judge-payment.ts";

type ApplyDeps = Pick<Deps, "env" | "metrics">;

/**
 * Judges a payment as the provider reports it right now, and carries the judgement out. Part of
 * `applyReport`, which applies its refunds too.
 */
export function applyPayment(
  tx: Db,
  deps: ApplyDeps,
  payment: ProviderPayment,
  now: number,
): PaymentOutcome {
  const { paymentId, orderId, amountPaise, refundedPaise } = payment;
  const known = findPayment(tx, paymentId);
  if (known && isDealtWith(known.outcome, payment, isPromised(tx, paymentId))) {
    return followSettled(tx, known, payment, now);
  }

  const order = orderId === null ? null : findOrder(tx, orderId);
  const appointment = order && findAppointment(tx, order.appointmentId);
  const ordered = order &&
    appointment && {
      pricePaise: appointment.price.totalPaise,
      status: appointment.status,
      time: timeLeft(tx, appointment, now),
    };
  const judged = judgePayment(payment, ordered);
  // Whatever the plan said: without its time a session is not paid.
  const isTaken = judged !== "applied" || takeForGood(tx, appointment!, now);
  const outcome = isTaken ? judged : "time_gone";
  savePayment(tx, {
    paymentId,
    orderId,
    appointmentId: appointment?.id ?? null,
    amountPaise,
    currency: payment.currency,
    providerStatus: payment.status,
    outcome,
    method: payment.method,
    ...(outcome === "unmatched" && payerOf(tx, payment)),
    paidAt: payment.createdAt,
    ...(payment.reference !== undefined && { reference: payment.reference }),
    ...reportedLater(payment),
    refundedPaise,
    capturedAt: isMoney(payment) && !payment.isUncaptured ? (known?.capturedAt ?? now) : null,
    createdAt: now,
    updatedAt: now,
  });
  deps.metrics.payment(outcome);

  switch (outcome) {
    case "authorized":
    case "failed":
    case "returned":
      break;
    case "unmatched": {
      const left = amountPaise - refundedPaise;
      queueMessages(tx, deps.env, now, { type: "unmatched_payment", paymentId, amountPaise: left });
      break;
    }
    case "applied":
      confirmAppointment(tx, deps, appointment!, paymentId, now);
      break;
    default:
      giveBack(tx, deps, appointment!, outcome, payment, now);
  }
  // The provider takes no more money for an order that was paid, so a booking still to be paid needs
  // another. The reconciler goes on reading it: a second payment may come without browser or webhook.
  const isToPay = outcome === "wrong_amount" || outcome === "returned";
  if (order && isSettled(outcome)) advanceOrder(tx, order.receipt, isToPay ? "closed" : "paid");
  return outcome;
}

/** Kept until somebody says whose money it is; of money from before they were erased, nobody. */
export function payerOf(tx: Db, { payer, createdAt }: ProviderPayment) {
  const { email = null, phone = null } = payer ?? {};
  const isKnown = !wasErased(tx, { email, phone }, createdAt);
  return {
    payerEmail: isKnown ? email : null,
    payerPhone: isKnown ? phone : null,
    paidAt: createdAt,
  };
}

function followSettled(
  tx: Db,
  known: Payment,
  payment: ProviderPayment,
  now: number,
): PaymentOutcome {
  const { reference, appointmentId } = known;
  const booking = appointmentId === null ? null : findAppointment(tx, appointmentId);
  // Once: what is erased does not come back when the payment is read again.
  const mayRefer = reference === null && booking !== null && !refuseErased(booking);
  const update = {
    ...(mayRefer && payment.reference !== undefined && { reference: payment.reference }),
    // This can also go down: a failed refund no longer counts.
    refundedPaise: payment.refundedPaise,
    ...(isMoney(payment) ? { providerStatus: payment.status } : {}),
    ...reportedLater(payment),
  };
  const isChanged = Object.entries(update).some(
    ([field, value]) => known[field as keyof Payment] !== value,
  );
  if (isChanged) updatePayment(tx, known.paymentId, { ...update, updatedAt: now });
  return known.outcome;
}

/** Often known only some time after the payment itself. */
function reportedLater({ fee, isInternational }: ProviderPayment) {
  return {
    ...fee,
    ...(isInternational !== undefined && { international: Number(isInternational) }),
  };
}

/** True where we owe it already. */
function isPromised(tx: Db, paymentId: string): boolean {
  return listRefundsOfPayment(tx, paymentId).some(({ way }) => way !== "dashboard");
}

/** A booking that nobody can pay any more is cancelled with it. */
function giveBack(
  tx: Db,
  { env }: ApplyDeps,
  appointment: Appointment,
  reason: GoesBack,
  { paymentId, amountPaise }: ProviderPayment,
  now: number,
): void {
  const { id } = appointment;
  const wanted = wantRefund(tx, { paymentId, appointmentId: id, amountPaise: "all", reason }, now);
  const about = { paymentId, amountPaise, refundId: wanted?.id ?? null };
  if (reason === "second" || reason === "wrong_amount") {
    queueMessages(tx, env, now, { type: "payment_returned", appointment, reason, ...about });
    return;
  }
  if (reason !== "booking_cancelled") {
    releaseTime(tx, id);
    const change = { status: "cancelled", cancelReason: reason, window: null } as const;
    updateAppointment(tx, id, now, change);
  }
  const cancelled = findAppointment(tx, id)!;
  queueMessages(tx, env, now, { type: "late_payment", appointment: cancelled, reason, ...about });
}
