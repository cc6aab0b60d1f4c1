/** Turns a booking into a paid session, also with money received outside the payment provider. */
import { type Change, changeAppointment, refuseRole } from "#app/core/change.server.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { issueInvoice } from "#app/documents/issue.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import {
  addDays,
  dateInIndia,
  financialYear,
  instantOf,
  isCalendarDate,
} from "#app/model/dates.ts";
import { newOfflinePaymentId } from "#app/model/ids.ts";
import { moneyOf, rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { savePayment } from "#db/queries/payments.server.ts";
import type { OfflinePayment } from "./change-fields.ts";
import { refuseErased, refuseStale } from "./change-rules.ts";
import { giveRoom } from "./give-room.server.ts";
import { askGuardian } from "./guardian.server.ts";
import { takeForGood, timeLeft } from "./take-time.server.ts";

/** Turns a pending appointment, whose time is taken for good, into a paid session. */
export function confirmAppointment(
  tx: Db,
  { env }: Pick<Deps, "env">,
  appointment: Appointment,
  paymentId: string,
  now: number,
): Appointment {
  const room = giveRoom(tx, env, appointment, now);
  updateAppointment(tx, appointment.id, now, { status: "confirmed", window: null, ...room });
  issueInvoice(tx, env, appointment, paymentId, now);
  const confirmed = findAppointment(tx, appointment.id)!;
  queueMessages(tx, env, now, { type: "confirmed", appointment: confirmed });
  askGuardian(tx, env, confirmed, now);
  return confirmed;
}

/**
 * Confirms an unpaid booking as paid outside the provider, at its own price, even after its hold if
 * the time is still free. A later payment of its order counts as a second one. Refusals:
 * `not_found` (also of an erased customer), `stale`, `already_paid`, `already_cancelled`,
 * `slot_taken`, `validation_failed`, `forbidden`.
 */
export function markPaidOutside(
  deps: Pick<Deps, "db" | "env" | "now" | "wake" | "metrics">,
  actor: Actor,
  id: string,
  { version, ...payment }: OfflinePayment & { version?: number | undefined },
): Outcome<Appointment> {
  return changeAppointment(deps, actor, id, (appointment, doing) => {
    const { tx, now } = doing;
    const refusal =
      refuseErased(appointment) ??
      refuseStale(appointment, version) ??
      refuseStatus(appointment) ??
      refuseOutside(deps, actor, payment);
    if (refusal) return refusal;
    // Customers may pay on arrival: a time that has begun is gone only if somebody else took it.
    const isGone = timeLeft(tx, appointment, now) === "gone";
    if (isGone || !takeForGood(tx, appointment, now)) return TIME_GONE;
    payOutside(doing, deps, appointment, payment);
    return success(findAppointment(tx, id)!);
  });
}

export const TIME_GONE = failure(
  "slot_taken",
  "The time of this booking is no longer free. Please move it to another one first.",
);

/** Null if the appointment can be paid. Refusals: `already_paid`, `already_cancelled`. */
export function refuseStatus(appointment: Appointment): Failure | null {
  if (isPaid(appointment)) return failure("already_paid", "This appointment is paid already.");
  if (appointment.status !== "cancelled") return null;
  return failure("already_cancelled", "This appointment is cancelled already.");
}

/**
 * Checks when outside money was received; only the owner may record an earlier financial year.
 * Refusals: `validation_failed`, `forbidden`.
 */
export function refuseOutside(
  deps: ReadDeps,
  actor: Actor,
  { receivedOn }: OfflinePayment,
): Failure | null {
  const today = dateInIndia(deps.now());
  if (!receivedOn) return null;
  if (!isCalendarDate(receivedOn)) {
    return invalid({ receivedOn: ["Please select the date on which the money came in"] });
  }
  const isEarlier = receivedOn < today && financialYear(receivedOn) !== financialYear(today);
  const refused = isEarlier
    ? refuseRole(deps, actor, "earlierYears", "money of an earlier financial year")
    : null;
  if (refused) return refused;
  if (receivedOn <= today && receivedOn >= addDays(today, -2 * 366)) return null;
  return invalid({
    receivedOn: ["Please select a date of the last two years, today at the latest"],
  });
}

/** Records the payment, without a provider's fee, and confirms the appointment. */
export function payOutside(
  { tx, now, log }: Change,
  deps: Pick<Deps, "env" | "metrics">,
  appointment: Appointment,
  { method, reference, receivedOn }: OfflinePayment,
): void {
  const paymentId = newOfflinePaymentId();
  const today = dateInIndia(now);
  const received = receivedOn || today;
  const { totalPaise } = appointment.price;
  savePayment(tx, {
    paymentId,
    orderId: null,
    appointmentId: appointment.id,
    ...moneyOf(totalPaise),
    providerStatus: "captured",
    outcome: "applied",
    method,
    refundedPaise: 0,
    feePaise: 0,
    feeTaxPaise: 0,
    reference: reference || null,
    receivedOn: received,
    capturedAt: received === today ? now : instantOf(received, "12:00"),
    createdAt: now,
    updatedAt: now,
  });
  deps.metrics.payment("applied");
  confirmAppointment(tx, deps, appointment, paymentId, now);
  log("paid_outside", appointment.id, {
    before: { status: appointment.status },
    after: { status: "confirmed", paid: rupeesOf(totalPaise), method, receivedOn: received },
  });
}
