/** Cancels an appointment, which frees its time and refunds what was paid. */
import { refuseRole } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, cutoffOf, isPaid } from "#app/model/appointment.ts";
import { untilWords } from "#app/model/change-terms.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { releaseTime } from "#db/queries/hours.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import type { CancelRequest } from "./change-fields.ts";
import { refuseChange, selfServiceEnd } from "./change-rules.ts";
import { keptOf, refusePart, requestRefund } from "./refund-part.server.ts";

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
    const part = wanted === "none" ? 0 : wanted !== "full" && wanted.amount;
    const back = { amountPaise: part === false ? "all" : part, reason: "cancelled" } as const;
    const refund = isPaid(appointment) ? requestRefund(tx, deps.env, appointment, back, now) : null;
    releaseTime(tx, id);
    updateAppointment(tx, id, now, {
      status: "cancelled",
      cancelReason: by === "business" ? "by_admin" : "by_customer",
      cancelNote: reason || null,
      attendance: null,
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
