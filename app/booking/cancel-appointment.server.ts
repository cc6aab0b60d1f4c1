/** Cancels an appointment: the time is free again, and what was paid goes back in full. */
import type { Deps } from "#app/core/deps.server.ts";
import { type Actor, actorName } from "#app/model/actor.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import type { RefundState } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  findAppointment,
  releaseTime,
  updateAppointment,
} from "#db/queries/appointments.server.ts";
import { findPayment, findRefund, listRefundsOfPayment } from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refund-wish.server.ts";
import { NO_APPOINTMENT, refuseChange } from "./change-rules.ts";

export interface Cancelled {
  appointment: Appointment;
  /** Null if nothing was paid, or all of it had gone back already. */
  refund: { state: RefundState; amountPaise: number } | null;
}

/**
 * Refusals: `not_found`, `already_cancelled`, `stale`, and for a customer `validation_failed` once
 * it is too late. Money that comes for a cancelled pending booking later goes back by itself.
 */
export function cancelAppointment(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  actor: Actor,
  id: string,
  { version }: { version?: number | undefined } = {},
): Outcome<Cancelled> {
  const outcome = inTransaction(deps.db, (tx): Outcome<Cancelled> => {
    const now = deps.now();
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const refusal = refuseChange(appointment, { actor, version }, deps.env, now);
    if (refusal) return refusal;
    const refund = giveBack(tx, appointment, now);
    releaseTime(tx, id);
    updateAppointment(tx, id, now, {
      status: "cancelled",
      cancel_reason: actor.kind === "admin" ? "by_admin" : "by_customer",
      calendar_sequence: appointment.calendarSequence + 1,
      pay_before: null,
      hold_until: null,
      client_address: null,
    });
    const cancelled = findAppointment(tx, id)!;
    logActivity(tx, {
      at: now,
      actor: actorName(actor),
      action: "cancel",
      target: id,
      before: { status: appointment.status },
      after: {
        status: cancelled.status,
        ...(refund ? { refund: rupeesOf(refund.amountPaise) } : {}),
      },
    });
    queueMessages(tx, deps.env, now, {
      type: "cancelled",
      appointment: cancelled,
      wasPaid: isPaid(appointment),
      refundWanted: refund !== null,
      by: actor.kind,
    });
    return success({ appointment: cancelled, refund });
  });
  if (outcome.ok) deps.wake();
  return outcome;
}

/** What would go back if the appointment were cancelled now, in paise: the dialog's warning. */
export function refundOnCancel(
  { db }: Pick<Deps, "db">,
  appointment: Pick<Appointment, "status" | "paymentId">,
): number {
  return isPaid(appointment) && appointment.paymentId ? leftOf(db, appointment.paymentId) : 0;
}

function giveBack(tx: Db, appointment: Appointment, now: number): Cancelled["refund"] {
  const { id: appointmentId, paymentId } = appointment;
  if (!isPaid(appointment) || !paymentId) return null;
  const amountPaise = leftOf(tx, paymentId);
  const wish = { paymentId, appointmentId, amountPaise, reason: "cancelled" as const };
  const refundId = wantRefund(tx, wish, now);
  const refund = refundId === null ? null : findRefund(tx, refundId);
  return refund ? { state: refund.state, amountPaise: refund.amount_paise } : null;
}

/**
 * Paid less what went back before, for example from the provider's dashboard. The provider's sum and
 * the refunds it knows tell of the same money; a wish it has not accepted yet comes on top.
 */
function leftOf(db: Db, paymentId: string): number {
  const payment = findPayment(db, paymentId);
  if (!payment) return 0;
  let accepted = 0;
  let wished = 0;
  for (const refund of listRefundsOfPayment(db, paymentId)) {
    if (refund.provider_refund_id === null) wished += refund.amount_paise;
    else if (refund.origin === "us" || refund.state !== "failed") accepted += refund.amount_paise;
  }
  return Math.max(0, payment.amount_paise - Math.max(accepted, payment.refunded_paise) - wished);
}
