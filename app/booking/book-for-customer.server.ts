/** Staff book for a customer, who pays by a mailed link or has paid outside the provider. */
import { keepAsTaken } from "#app/availability/clashes.server.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { NOTICE_VERSION } from "#app/catalogue.ts";
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Actor, actorNamed } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { counselorNamed, findPackage } from "#app/model/catalogue.ts";
import { sessionTimeOf } from "#app/model/day-plan.ts";
import { priceOf } from "#app/model/money.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { findAppointment, insertAppointment } from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { detailsOf, refuseOwnGstin, refusePrice, requestOf } from "./booking-request.server.ts";
import type { StaffBooking } from "./change-fields.ts";
import { payOutside, refuseOutside } from "./confirm-appointment.server.ts";
import { linkWindow } from "./payment-window.ts";
import { refusePastDate, refuseStaff, takePlannedTime } from "./take-time.server.ts";

/**
 * Books any future time of the master list at the catalogue's price. The booking counts neither
 * towards a network's holds nor as pressure. The notice counts as read, and WhatsApp as agreed to,
 * only if staff say so. `shownTotal`: with GST, in rupees, as the form showed it; without it any price
 * is taken. Refusals: `price_changed`, `validation_failed` (on `payment` if a link could not be paid
 * before the session), `slot_taken` (with `errors.timeSlot` if `override` would help), `forbidden`.
 */
export function bookForCustomer(
  deps: Pick<Deps, "db" | "env" | "now" | "wake" | "metrics">,
  actor: Actor,
  input: StaffBooking,
  shownTotal?: number,
): Outcome<Appointment> {
  const { env } = deps;
  return change(deps, actor, ({ tx, now, log }): Outcome<Appointment> => {
    const { payment, staffNote, override, noticeRead, ...request } = {
      ...input,
      ...requestOf(input),
    };
    const { date, timeSlot, package: minutes } = request;
    const offer = readBookable({ db: tx, env });
    const chosen = counselorNamed(offer, request.counselor);
    if (!chosen.ok) return chosen;
    const { key: counselorKey, name: counselor } = chosen.value;
    const sessionPackage = findPackage(offer, minutes);
    if (!sessionPackage) return invalid({ package: ["Please select a package"] });
    const time = sessionTimeOf({ counselorKey, date, timeSlot, minutes });
    const window =
      payment.by === "link"
        ? linkWindow(env, time.startsAt, payment.payBefore, now)
        : success(null);
    const plan = readDayPlan(tx, counselorKey, date, now);
    const price = priceOf(sessionPackage.price);
    const refusal =
      refusePrice({ shownTotal }, price, "the customer agrees") ??
      refuseOwnGstin(request, env) ??
      refusePastDate(date, now) ??
      refuseStaff(plan, { timeSlot, override }, minutes, now) ??
      (payment.by === "offline" ? refuseOutside(deps, actor, payment) : null);
    if (refusal) return refusal;
    if (!window.ok) return window;
    const made = insertAppointment(
      tx,
      {
        ...detailsOf(request),
        ...time,
        counselor,
        clientAddress: null,
        source: "staff",
        window: window.value,
        price,
        staffNote: staffNote || null,
        whatsapp: request.whatsapp === true,
        cutoffHours: deps.env.selfServiceCutoffHours,
        notice: noticeRead ? { version: NOTICE_VERSION, by: actorNamed(actor).actor } : null,
      },
      now,
    );
    takePlannedTime(tx, made, now);
    const inSpiteOf = keepAsTaken(tx, actor, made, now);
    log("book", made.id, {
      after: {
        counselor,
        date,
        timeSlot,
        minutes,
        ...(noticeRead && { noticeRead }),
        ...(inSpiteOf.length > 0 && { inSpiteOf }),
      },
    });
    if (payment.by === "link")
      queueMessages(tx, env, now, { type: "payment_link", appointment: made });
    else payOutside({ tx, now, log }, deps, made, payment);
    return success(findAppointment(tx, made.id)!);
  });
}
