/** Cancels an appointment: the time is free again, and what was paid goes back in full. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { leftOf } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import {
  findPayment,
  findRefund,
  listRefundsOfPayment,
  type StoredRefund,
} from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refund-wish.server.ts";
import { releaseTime } from "#db/queries/session-times.server.ts";
import { NO_APPOINTMENT, refuseChange } from "./change-rules.ts";

export interface Cancelled {
  appointment: Appointment;
  /** Null if nothing was paid, or all of it had gone back already. */
  refund: StoredRefund | null;
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
  return change(deps, actor, ({ tx, now, log }) => {
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const refusal = refuseChange(appointment, { actor, version }, deps.env, now);
    if (refusal) return refusal;
    const refund = giveBack(tx, appointment, now);
    releaseTime(tx, id);
    updateAppointment(tx, id, now, {
      status: "cancelled",
      cancelReason: actor.kind === "admin" ? "by_admin" : "by_customer",
      calendarSequence: appointment.calendarSequence + 1,
      window: null,
    });
    const cancelled = findAppointment(tx, id)!;
    log("cancel", id, {
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
      refundId: refund?.id ?? null,
      by: actor.kind,
    });
    return success({ appointment: cancelled, refund });
  });
}

/** What would go back if the appointment were cancelled now, in paise: the dialog's warning. */
export function refundOnCancel(
  { db }: { db: Db },
  appointment: Pick<Appointment, "status" | "paymentId">,
): number {
  const payment =
    isPaid(appointment) && appointment.paymentId ? findPayment(db, appointment.paymentId) : null;
  if (!payment) return 0;
  return leftOf(payment, listRefundsOfPayment(db, payment.paymentId));
}

function giveBack(tx: Db, appointment: Appointment, now: number): StoredRefund | null {
  const { id: appointmentId, paymentId } = appointment;
  if (!isPaid(appointment) || !paymentId) return null;
  const amountPaise = refundOnCancel({ db: tx }, appointment);
  const wish = { paymentId, appointmentId, amountPaise, reason: "cancelled" as const };
  const refundId = wantRefund(tx, wish, now);
  return refundId === null ? null : findRefund(tx, refundId);
}
