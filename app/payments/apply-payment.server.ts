/**
 * The one function that money goes through: fed by the browser's verify call, the hosted form's
 * return, the webhook and the reconciler. Idempotent, in any order, forward only.
 */
import { confirmAppointment } from "#app/booking/confirm-appointment.server.ts";
import { takeForGood, timeLeft } from "#app/booking/take-time.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ProviderPayment } from "#app/core/payment-provider.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { PaymentOutcome } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { wasErased } from "#db/queries/erasures.server.ts";
import {
  findOrder,
  findPayment,
  type Payment,
  savePayment,
  updateOrder,
  updatePayment,
} from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refund-wish.server.ts";
import { releaseTime } from "#db/queries/session-times.server.ts";
import {
  type GoesBack,
  isMoney,
  isPaying,
  isSettled,
  judgePayment,
  outcomeOf,
} from "./judge-payment.ts";

type ApplyDeps = Pick<Deps, "env" | "metrics">;

/**
 * Judges a payment as the provider tells it right now, and carries the judgement out. Must run
 * inside a transaction; the caller has read `payment` from the provider and binds nothing else.
 */
export function applyPayment(
  tx: Db,
  deps: ApplyDeps,
  payment: ProviderPayment,
  now: number,
): PaymentOutcome {
  const { paymentId, orderId, amountPaise, refundedPaise } = payment;
  const known = findPayment(tx, paymentId);
  if (known && isSettled(known.outcome)) return followSettled(tx, known, payment, now);

  const order = orderId === null ? null : findOrder(tx, orderId);
  const appointment = order && findAppointment(tx, order.appointmentId);
  const ordered = order &&
    appointment && {
      pricePaise: appointment.price.totalPaise,
      status: appointment.status,
      time: timeLeft(tx, appointment, now),
    };
  const judged = judgePayment(payment, ordered);
  const paysFor = isPaying(judged) ? appointment! : null;
  // Whatever the plan said: without its time a session is not paid.
  const judgement = paysFor && !takeForGood(tx, paysFor, now) ? "late_and_gone" : judged;
  const outcome = outcomeOf(judgement);
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
    ...payment.fee,
    refundedPaise,
    disputeState: null,
    capturedAt: isMoney(payment) ? now : null,
    createdAt: now,
    updatedAt: now,
  });
  deps.metrics.payment(outcome);

  const money = { paymentId, amountPaise: amountPaise - refundedPaise };
  switch (judgement) {
    case "authorized":
    case "failed":
    case "returned":
      break;
    case "unmatched":
      queueMessages(tx, deps.env, now, { type: "unmatched_payment", ...money });
      break;
    case "in_time":
    case "late_and_free":
      confirmAppointment(tx, deps, appointment!, paymentId, now);
      break;
    case "second":
    case "wrong_amount":
    case "late_and_gone":
      giveBack(tx, deps, appointment!, judgement, money, now);
  }
  // The reconciler goes on reading it: a second payment may come without browser or webhook.
  if (outcome === "applied" || outcome === "second" || outcome === "late") {
    updateOrder(tx, order!.receipt, { state: "paid" });
  }
  return outcome;
}

/** Kept until somebody says whose money it is; of money from before they were erased, nobody. */
export function payerOf(
  tx: Db,
  { payer, createdAt }: Pick<ProviderPayment, "payer" | "createdAt">,
) {
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
  const told = {
    // This can also go down: a failed refund no longer counts.
    refundedPaise: payment.refundedPaise,
    ...(isMoney(payment) ? { providerStatus: payment.status } : {}),
    // Often known only some time after the payment itself.
    ...payment.fee,
  };
  const isNews = Object.entries(told).some(
    ([field, value]) => known[field as keyof Payment] !== value,
  );
  if (isNews) updatePayment(tx, known.paymentId, { ...told, updatedAt: now });
  return known.outcome;
}

/** A booking whose time is gone is cancelled with it. */
function giveBack(
  tx: Db,
  { env }: ApplyDeps,
  appointment: Appointment,
  judgement: GoesBack,
  money: { paymentId: string; amountPaise: number },
  now: number,
): void {
  const { id } = appointment;
  const reason = judgement === "late_and_gone" ? "late" : judgement;
  wantRefund(tx, { ...money, appointmentId: id, reason }, now);
  if (reason !== "late") {
    queueMessages(tx, env, now, { type: "payment_returned", appointment, reason, ...money });
    return;
  }
  if (appointment.status === "pending_payment") {
    releaseTime(tx, id);
    const change = { status: "cancelled", cancelReason: "time_gone", window: null } as const;
    updateAppointment(tx, id, now, change);
  }
  const told = findAppointment(tx, id)!;
  queueMessages(tx, env, now, { type: "late_payment", appointment: told, ...money });
}
