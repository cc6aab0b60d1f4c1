/** Staff hold an unpaid booking again and send its customer the link to pay. */
import type { HoldAgain } from "#app/booking/change-fields.ts";
import { refuseStale } from "#app/booking/change-rules.ts";
import { refuseStatus, TIME_GONE } from "#app/booking/confirm-appointment.server.ts";
import { linkWindow } from "#app/booking/payment-window.ts";
import { takePlannedTime, timeLeft } from "#app/booking/take-time.server.ts";
import { changeAppointment } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { failure, NO_APPOINTMENT, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { isBeingPaid } from "./create-order.server.ts";

/**
 * Holds the booking's own time at its own price for as long as a link of a staff booking, however
 * often it was held before; from then on it counts as held by staff. `once` may make a form's
 * submission idempotent. Refusals: `not_found`, `stale`, `already_paid`, `already_cancelled`,
 * `payment_under_way`, `provider_unavailable`, `validation_failed` (`payBefore`), `slot_taken`.
 */
export async function holdAgain<T = Appointment>(
  deps: Deps,
  actor: Actor,
  id: string,
  request: HoldAgain,
  once: (work: () => Outcome<Appointment>) => Outcome<T> = (work) => work() as Outcome<T>,
): Promise<Outcome<T>> {
  const appointment = findAppointment(deps.db, id);
  if (!appointment) return NO_APPOINTMENT;
  const refusal = refuseStatus(appointment);
  if (refusal) return refusal;
  const paying = await isBeingPaid(deps, id);
  if (!paying.ok) return paying;
  return once(() => hold(deps, actor, id, request, paying.value));
}

function hold(
  deps: Deps,
  actor: Actor,
  id: string,
  { payBefore, version }: HoldAgain,
  isPaying: boolean,
): Outcome<Appointment> {
  const { env } = deps;
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const refusal =
      refuseStatus(appointment) ??
      refuseStale(appointment, version) ??
      (isPaying ? PAYMENT_UNDER_WAY : null);
    if (refusal) return refusal;
    const window = linkWindow(env, appointment.startsAt, payBefore, now, "payBefore");
    if (!window.ok) return window;
    const time = timeLeft(tx, appointment, now);
    if (time === "gone" || time === "begun") return TIME_GONE;
    updateAppointment(tx, id, now, { window: window.value, heldByStaff: true });
    const held = findAppointment(tx, id)!;
    takePlannedTime(tx, held, now);
    log("hold", id, { after: { payBefore: new Date(window.value.payBefore).toISOString() } });
    queueMessages(tx, env, now, { type: "payment_link", appointment: held, again: true });
    return success(held);
  });
}

const PAYMENT_UNDER_WAY = failure(
  "payment_under_way",
  "A payment for this booking is under way, so nothing was changed. Please look again in a few minutes.",
);
