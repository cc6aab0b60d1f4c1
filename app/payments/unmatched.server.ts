/** Money that no appointment knows: the admin sends it back or says what it was for (decision 11). */
import { isFree } from "#app/availability/slots.ts";
import { SLOT_TAKEN } from "#app/booking/book-session.server.ts";
import { NO_APPOINTMENT } from "#app/booking/change-rules.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { issueInvoice } from "#app/documents/issue.server.ts";
import { type Actor, actorName } from "#app/model/actor.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { formatRupees, rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  findAppointment,
  holdsTime,
  takeTime,
  updateAppointment,
} from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import {
  findPayment,
  findRefund,
  type PaymentRow,
  type RefundRow,
  updatePayment,
} from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refund-wish.server.ts";

type UnmatchedDeps = Pick<Deps, "db" | "env" | "now" | "wake">;

/** Null refund: all of it had gone back already. Refusals: `not_found`, `stale` (settled already). */
export function refundUnmatched(
  deps: UnmatchedDeps,
  actor: Actor,
  paymentId: string,
): Outcome<{ refund: RefundRow | null }> {
  const outcome = inTransaction(deps.db, (tx): Outcome<{ refund: RefundRow | null }> => {
    const found = requireUnmatched(tx, paymentId);
    if (!found.ok) return found;
    const now = deps.now();
    const amountPaise = found.value.amount_paise - found.value.refunded_paise;
    const wish = { paymentId, appointmentId: null, amountPaise, reason: "unmatched" as const };
    const refundId = wantRefund(tx, wish, now);
    updatePayment(tx, paymentId, { outcome: "returned", updated_at: now });
    logActivity(tx, {
      at: now,
      actor: actorName(actor),
      action: "unmatched_refund",
      target: paymentId,
      after: { refund: rupeesOf(amountPaise) },
    });
    return success({ refund: refundId === null ? null : findRefund(tx, refundId) });
  });
  if (outcome.ok) deps.wake();
  return outcome;
}

/**
 * Lets the payment pay a pending appointment, as if it had come for it. Refusals: `not_found`,
 * `stale` (settled already), `already_paid`, `already_cancelled`, `amount_mismatch`, `slot_taken`.
 */
export function assignUnmatched(
  deps: UnmatchedDeps,
  actor: Actor,
  paymentId: string,
  appointmentId: string,
): Outcome<Appointment> {
  const outcome = inTransaction(deps.db, (tx): Outcome<Appointment> => {
    const found = requireUnmatched(tx, paymentId);
    if (!found.ok) return found;
    const appointment = findAppointment(tx, appointmentId);
    if (!appointment) return NO_APPOINTMENT;
    const now = deps.now();
    const refusal = refuseAssignment(appointment, found.value) ?? claimTime(tx, appointment, now);
    if (refusal) return refusal;
    updatePayment(tx, paymentId, {
      outcome: "assigned",
      appointment_id: appointmentId,
      updated_at: now,
    });
    updateAppointment(tx, appointmentId, now, {
      status: "confirmed",
      pay_before: null,
      hold_until: null,
      client_address: null,
    });
    issueInvoice(tx, deps.env, appointment, paymentId, now);
    const confirmed = findAppointment(tx, appointmentId)!;
    logActivity(tx, {
      at: now,
      actor: actorName(actor),
      action: "unmatched_assign",
      target: appointmentId,
      before: { status: appointment.status },
      after: { status: confirmed.status, paymentId },
    });
    queueMessages(tx, deps.env, now, { type: "confirmed", appointment: confirmed });
    return success(confirmed);
  });
  if (outcome.ok) deps.wake();
  return outcome;
}

function requireUnmatched(tx: Db, paymentId: string): Outcome<PaymentRow> {
  const payment = findPayment(tx, paymentId);
  if (!payment) return failure("not_found", "There is no such payment.");
  if (payment.outcome !== "unmatched") {
    return failure("stale", "This payment was dealt with meanwhile.");
  }
  return success(payment);
}

function refuseAssignment(appointment: Appointment, payment: PaymentRow): Failure | null {
  if (isPaid(appointment)) return failure("already_paid", "This appointment is paid already.");
  if (appointment.status === "cancelled") {
    return failure("already_cancelled", "This appointment is cancelled already.");
  }
  const left = payment.amount_paise - payment.refunded_paise;
  if (payment.currency !== "INR" || left !== appointment.totalPaise) {
    return failure(
      "amount_mismatch",
      `The payment is ${formatRupees(left)}, the appointment costs ${formatRupees(appointment.totalPaise)}.`,
    );
  }
  return null;
}

/** The time is the appointment's own hold, or still free: future, not blocked, not overlapped. */
function claimTime(tx: Db, appointment: Appointment, now: number): Failure | null {
  const { id, counselorKey, date, timeSlot, minutes, startsAt, endsAt } = appointment;
  const free =
    holdsTime(tx, id, now) ||
    (startsAt > now && isFree(readDayPlan(tx, counselorKey, date, now, id), timeSlot, minutes));
  const time = { appointmentId: id, counselorKey, startsAt, endsAt, heldUntil: null };
  return free && takeTime(tx, time, now) ? null : failure("slot_taken", SLOT_TAKEN);
}
