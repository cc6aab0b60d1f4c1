/** Cancels an appointment, which frees its time and refunds what was paid; refunds of one that stays. */
import type { z } from "zod";
import { changeAppointment, refuseRole } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, cutoffOf, isPaid, untilWords } from "#app/model/appointment.ts";
import { formatRupees, rupeesOf } from "#app/model/money.ts";
import { type Failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { leftOf } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { releaseTime } from "#db/queries/hours.server.ts";
import { wasPersonAsked } from "#db/queries/messages.server.ts";
import {
  findPayment,
  listRefundsOfPayment,
  type StoredRefund,
} from "#db/queries/payments.server.ts";
import { type WantedRefund, wantRefund } from "#db/queries/refunds.server.ts";
import type { CancelRequest, refundSchema } from "./change-fields.ts";
import { refuseChange, refuseStale, selfServiceEnd } from "./change-rules.ts";

export interface Cancelled {
  appointment: Appointment;
  /** Null if nothing is refunded. */
  refund: StoredRefund | null;
}

/**
 * A customer who cancels on the booking's page gets a full refund. Staff say who cancels and, if
 * the customer does so after the published cut-off, how much is refunded; only the owner may choose
 * a part or nothing. Refusals: `forbidden`, `not_found`, `already_cancelled`, `stale`,
 * `validation_failed` (too late for a customer; `refund` or `amount`). A payment that arrives later
 * for a cancelled booking is refunded automatically.
 */
export function cancelAppointment(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  request: Partial<CancelRequest> = {},
): Outcome<Cancelled> {
  const { version, reason, refund: wanted = "full" } = request;
  const asked = "cancelling with a part or nothing refunded";
  const refusedRole = wanted === "full" ? null : refuseRole(deps, actor, "refunds", asked);
  if (refusedRole) return refusedRole;
  const by = actor.kind === "customer" ? "customer" : (request.by ?? "business");
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const refusal = refuseChange(appointment, { actor, version }, deps.env, now);
    if (refusal) return refusal;
    const keptPaise = refundOnCancel(tx, appointment);
    const refused = refuseRefund({ by, refund: wanted }, appointment, keptPaise, deps.env, now);
    if (refused) return refused;
    const amountPaise = wanted === "full" ? "all" : wanted === "none" ? 0 : wanted.amount;
    const back = { amountPaise, reason: "cancelled" } as const;
    const refund = isPaid(appointment) ? requestRefund(tx, deps.env, appointment, back, now) : null;
    releaseTime(tx, id);
    updateAppointment(tx, id, now, {
      status: "cancelled",
      cancelReason: by === "business" ? "by_admin" : "by_customer",
      cancelNote: reason || null,
      calendarSequence: appointment.calendarSequence + 1,
      window: null,
    });
    const cancelled = findAppointment(tx, id)!;
    log("cancel", id, {
      before: { status: appointment.status },
      after: {
        status: cancelled.status,
        by,
        ...(reason && { reason }),
        ...(refund && { refund: rupeesOf(refund.amountPaise) }),
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

/** True once the customer's own right to a full refund has ended. */
export function mayKeepPart(
  appointment: Pick<Appointment, "startsAt" | "cutoffHours">,
  env: Pick<Env, "selfServiceCutoffHours">,
  now: number,
): boolean {
  return now >= selfServiceEnd(appointment, env);
}

function refuseRefund(
  { by, refund }: Pick<CancelRequest, "by" | "refund">,
  appointment: Appointment,
  keptPaise: number,
  env: Env,
  now: number,
): Failure | null {
  if (refund === "full") return null;
  if (by === "business") {
    return invalid({ refund: ["When the business cancels, all of it goes back"] });
  }
  if (!isPaid(appointment)) return refund === "none" ? null : refusePart(refund.amount, 0);
  if (!mayKeepPart(appointment, env, now)) {
    const hours = cutoffOf(appointment, env.selfServiceCutoffHours);
    const message = `Until ${untilWords(hours, "the session")} all of it goes back, as published`;
    return invalid({ refund: [message] });
  }
  return refund === "none" ? null : refusePart(refund.amount, keptPaise);
}

/** What would be refunded if the appointment were cancelled now, in paise. */
export function refundOnCancel(
  db: Db,
  appointment: Pick<Appointment, "status" | "paymentId">,
): number {
  return isPaid(appointment) ? keptOf(db, appointment) : 0;
}

/**
 * Refunds without cancelling: the session stays, even if everything is refunded. The customer is
 * notified when the refund is accepted or marked as paid back. Refusals: `not_found`, `stale`,
 * `validation_failed` on `amount` (paise).
 */
export function refundPart(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { amount: amountPaise, reason: note, version }: z.output<typeof refundSchema>,
): Outcome<StoredRefund> {
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const refusal =
      refuseStale(appointment, version) ?? refusePart(amountPaise, keptOf(tx, appointment));
    if (refusal) return refusal;
    const part = { amountPaise, reason: "by_staff", note } as const;
    const refund = requestRefund(tx, deps.env, appointment, part, now);
    // Makes the forms of other admins stale, as every change does.
    updateAppointment(tx, id, now, {});
    log("refund", id, { after: { refund: rupeesOf(amountPaise), reason: note } });
    return success(refund!);
  });
}

/** How much of a booking's payment can still be refunded, in paise. */
export function keptOf(db: Db, { paymentId }: Pick<Appointment, "paymentId">): number {
  const payment = paymentId ? findPayment(db, paymentId) : null;
  return payment ? Math.max(0, leftOf(payment, listRefundsOfPayment(db, payment.paymentId))) : 0;
}

/**
 * Requests a refund of what is kept. The provider carries it out; money received outside is paid
 * back by a person, who gets a mail. Null if there is nothing to refund.
 */
function requestRefund(
  tx: Db,
  env: Env,
  { id: appointmentId, paymentId }: Appointment,
  wanted: Pick<WantedRefund, "amountPaise" | "reason" | "note">,
  now: number,
): StoredRefund | null {
  if (!paymentId) return null;
  const refund = wantRefund(tx, { ...wanted, paymentId, appointmentId }, now);
  if (refund?.way === "by_hand") askPerson(tx, { env }, refund, null, now);
  return refund;
}

/**
 * Mails a person once per attempt, and once more if an accepted refund fails. `error` is null for
 * money that was to be paid back by hand from the beginning.
 */
export function askPerson(
  tx: Db,
  { env }: { env: Env },
  { id: refundId, keyGeneration: generation, ...stored }: StoredRefund,
  error: string | null,
  now: number,
): void {
  const { paymentId, appointmentId, amountPaise, way, providerRefundId } = stored;
  // They were asked before it was accepted; its failure needs another mail.
  const again = providerRefundId !== null && wasPersonAsked(tx, refundId);
  queueMessages(tx, env, now, {
    type: "refund_needs_person",
    refundId,
    generation,
    paymentId,
    appointmentId,
    amountPaise,
    way,
    error,
    again,
  });
}

/** The provider's smallest refund. */
export const LEAST_PAISE = 100;

/** Refuses an amount that cannot be refunded, or that leaves a rest that cannot. In paise. */
export function refusePart(amountPaise: number, keptPaise: number): Failure | null {
  const most = formatRupees(keptPaise);
  const rest = keptPaise - amountPaise;
  const fault =
    keptPaise === 0
      ? "Nothing is kept of this booking any more"
      : amountPaise < LEAST_PAISE
        ? `Please enter at least ${formatRupees(LEAST_PAISE)}`
        : rest < 0
          ? `Please enter at most ${most}: that is what is kept`
          : rest > 0 && rest < LEAST_PAISE
            ? `Please leave nothing, or at least ${formatRupees(LEAST_PAISE)}: ${most} is kept`
            : null;
  return fault === null ? null : invalid({ amount: [fault] });
}
