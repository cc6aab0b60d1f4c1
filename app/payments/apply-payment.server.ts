/**
 * The one function that money goes through: fed by the browser's verify call, the hosted form's
 * return, the webhook and the reconciler. Idempotent, in any order, forward only.
 */
import { isFree } from "#app/availability/slots.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ProviderPayment } from "#app/core/payment-provider.ts";
import { issueInvoice } from "#app/documents/issue.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { isPaid } from "#app/model/appointment.ts";
import type { PaymentOutcome } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findAppointment,
  holdsTime,
  releaseTime,
  takeTime,
  updateAppointment,
} from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import {
  findOrder,
  findPayment,
  type OrderRow,
  savePayment,
  updateOrder,
  updatePayment,
} from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refund-wish.server.ts";

const CURRENCY = "INR";

export interface Applied {
  outcome: PaymentOutcome;
  appointmentId: string | null;
}

/** Outcomes that stand: money already dealt with is never dealt with again. */
const SETTLED: readonly PaymentOutcome[] = [
  "applied",
  "second",
  "wrong_amount",
  "late",
  "unmatched",
  "assigned",
  "returned",
];

/**
 * Applies a payment as the provider tells it right now. Must run inside a transaction; the caller
 * has read `payment` from the provider and binds nothing else: order, appointment, amount and
 * currency are checked here.
 */
export function applyPayment(
  tx: Db,
  deps: Pick<Deps, "env" | "metrics">,
  payment: ProviderPayment,
  now: number,
): Applied {
  const known = findPayment(tx, payment.paymentId);
  if (known && SETTLED.includes(known.outcome)) {
    const { refundedPaise } = payment;
    if (refundedPaise !== known.refunded_paise || payment.status !== known.provider_status) {
      updatePayment(tx, payment.paymentId, {
        // It sinks too: a refund that fails gives its money back to the payment.
        refunded_paise: refundedPaise,
        ...(isMoney(payment) ? { provider_status: payment.status } : {}),
        updated_at: now,
      });
    }
    return { outcome: known.outcome, appointmentId: known.appointment_id };
  }
  const order = payment.orderId ? findOrder(tx, payment.orderId) : null;
  const appointment = order ? findAppointment(tx, order.appointment_id) : null;
  const record = (outcome: PaymentOutcome): Applied => {
    const appointmentId = appointment?.id ?? null;
    savePayment(tx, {
      payment_id: payment.paymentId,
      order_id: payment.orderId,
      appointment_id: appointmentId,
      amount_paise: payment.amountPaise,
      currency: payment.currency,
      provider_status: payment.status,
      outcome,
      method: payment.method,
      refunded_paise: payment.refundedPaise,
      dispute_state: null,
      captured_at: isMoney(payment) ? now : null,
      created_at: now,
      updated_at: now,
    });
    deps.metrics.payment(outcome);
    return { outcome, appointmentId };
  };

  if (!isMoney(payment)) return record(payment.status === "failed" ? "failed" : "authorized");
  if (!order || !appointment) {
    const applied = record("unmatched");
    queueMessages(tx, deps.env, now, { type: "unmatched_payment", ...amountOf(payment) });
    return applied;
  }
  // Refunded before it was ever seen here: nothing is kept and nothing is owed.
  if (payment.refundedPaise >= payment.amountPaise) return record("returned");
  if (payment.currency !== CURRENCY || payment.amountPaise !== order.amount_paise) {
    return giveBack(tx, deps, record("wrong_amount"), appointment, payment, now);
  }
  closeOrder(tx, order);
  if (isPaid(appointment)) {
    return giveBack(tx, deps, record("second"), appointment, payment, now);
  }
  if (appointment.status === "pending_payment" && claimTime(tx, appointment, now)) {
    return confirm(tx, deps, record("applied"), appointment, payment, now);
  }
  return refuseLate(tx, deps, record("late"), appointment, payment, now);
}

/** Captured money; `refunded` is money that was captured and has gone back whole. */
function isMoney(payment: ProviderPayment): boolean {
  return payment.status === "captured" || payment.status === "refunded";
}

/** The time is the appointment's own hold, or still free: future, not blocked, not overlapped. */
function claimTime(tx: Db, appointment: Appointment, now: number): boolean {
  const { id, counselorKey, date, timeSlot, minutes, startsAt, endsAt } = appointment;
  if (!holdsTime(tx, id, now)) {
    if (startsAt <= now) return false;
    if (!isFree(readDayPlan(tx, counselorKey, date, now, id), timeSlot, minutes)) return false;
  }
  return takeTime(tx, { appointmentId: id, counselorKey, startsAt, endsAt, heldUntil: null }, now);
}

function confirm(
  tx: Db,
  { env }: Pick<Deps, "env">,
  applied: Applied,
  appointment: Appointment,
  payment: ProviderPayment,
  now: number,
): Applied {
  updateAppointment(tx, appointment.id, now, {
    status: "confirmed",
    pay_before: null,
    hold_until: null,
    client_address: null,
  });
  issueInvoice(tx, env, appointment, payment.paymentId, now);
  queueMessages(tx, env, now, {
    type: "confirmed",
    appointment: findAppointment(tx, appointment.id)!,
  });
  return applied;
}

function giveBack(
  tx: Db,
  { env }: Pick<Deps, "env">,
  applied: Applied & { outcome: PaymentOutcome },
  appointment: Appointment,
  payment: ProviderPayment,
  now: number,
): Applied {
  const reason = applied.outcome === "second" ? "second" : "wrong_amount";
  wantRefund(tx, { ...amountOf(payment), appointmentId: appointment.id, reason }, now);
  queueMessages(tx, env, now, {
    type: "payment_returned",
    appointment,
    reason,
    ...amountOf(payment),
  });
  return applied;
}

/** Money for a time that is gone, or for a booking already cancelled: all of it goes back. */
function refuseLate(
  tx: Db,
  { env }: Pick<Deps, "env">,
  applied: Applied,
  appointment: Appointment,
  payment: ProviderPayment,
  now: number,
): Applied {
  if (appointment.status === "pending_payment") {
    releaseTime(tx, appointment.id);
    updateAppointment(tx, appointment.id, now, {
      status: "cancelled",
      cancel_reason: "time_gone",
      pay_before: null,
      hold_until: null,
      client_address: null,
    });
  }
  wantRefund(tx, { ...amountOf(payment), appointmentId: appointment.id, reason: "late" }, now);
  queueMessages(tx, env, now, {
    type: "late_payment",
    appointment: findAppointment(tx, appointment.id)!,
    ...amountOf(payment),
  });
  return applied;
}

/** The reconciler goes on reading it: a second payment may come without browser or webhook. */
function closeOrder(tx: Db, order: OrderRow): void {
  if (order.state !== "paid") updateOrder(tx, order.receipt, { state: "paid" });
}

function amountOf(payment: ProviderPayment): { paymentId: string; amountPaise: number } {
  return {
    paymentId: payment.paymentId,
    amountPaise: payment.amountPaise - payment.refundedPaise,
  };
}
