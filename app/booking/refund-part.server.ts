/** A refund that a person wants, without cancelling. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";
import { NO_APPOINTMENT, refuseStale } from "./change-rules.ts";
import { giveBack, keptOf, refusePart } from "./give-back.server.ts";

/**
 * The session stays as it is, also when all of it goes back. The customer is written to when the
 * refund is accepted, or marked as paid back. Refusals: `not_found`, `stale`, `validation_failed` on
 * `amount` (paise) for more than is kept, or parts that are too small.
 */
export function refundPart(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  actor: Actor,
  id: string,
  wish: { amount: number; reason: string; version?: number | undefined },
): Outcome<StoredRefund> {
  return change(deps, actor, ({ tx, now, log }) => {
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const { amount: amountPaise, reason: note } = wish;
    const refusal =
      refuseStale(appointment, wish.version) ?? refusePart(amountPaise, keptOf(tx, appointment));
    if (refusal) return refusal;
    const refund = giveBack(
      tx,
      deps.env,
      appointment,
      { amountPaise, reason: "by_staff", note },
      now,
    );
    // Another admin's form of before is stale, as after every change.
    updateAppointment(tx, id, now, {});
    log("refund", id, { after: { refund: rupeesOf(amountPaise), reason: note } });
    return success(refund!);
  });
}
