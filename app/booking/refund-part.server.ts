/** Refunds of a paid booking, in full or in part. */
import type { z } from "zod";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { formatRupees, rupeesOf } from "#app/model/money.ts";
import { type Failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { leftOf } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { updateAppointment } from "#db/queries/appointments.server.ts";
import { wasPersonAsked } from "#db/queries/messages.server.ts";
import {
  findPayment,
  listRefundsOfPayment,
  type StoredRefund,
} from "#db/queries/payments.server.ts";
import { type WantedRefund, wantRefund } from "#db/queries/refunds.server.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import type { refundSchema } from "./change-fields.ts";
import { refuseStale } from "./change-rules.ts";

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
export function requestRefund(
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
