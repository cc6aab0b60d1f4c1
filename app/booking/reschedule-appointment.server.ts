/** Moves a session to another time; paid it stays paid, unpaid it gets a new hold. */
import { bookableTimes, movableTimes } from "#app/availability/slots.ts";
import { type Change, change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, isPaid, type PaymentWindow } from "#app/model/appointment.ts";
import { dateInIndia, isCalendarDate } from "#app/model/dates.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { sessionTimeOf } from "#app/model/session-time.ts";
import { MASTER_TIMES } from "#app/model/time-slot.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { NO_APPOINTMENT, refuseChange } from "./change-rules.ts";
import { openHold } from "./holds.server.ts";
import { openWindow } from "./payment-window.ts";
import { SLOT_TAKEN, takePlannedTime } from "./take-time.server.ts";

export interface NewTime {
  /** `yyyy-MM-dd` and `HH:mm` in India. */
  date: string;
  timeSlot: string;
  version?: number | undefined;
}

type ChangeDeps = Pick<Deps, "db" | "env" | "now" | "wake">;

/**
 * Moves the appointment. An admin may use any free time of the master list, a customer only what a
 * visitor could book. Onto its own time a paid session stays as it is. Refusals: `not_found`,
 * `already_cancelled`, `stale`, `validation_failed` (a past date, a time not on the list, too late
 * for a customer), `slot_taken`, `rate_limited` (a customer's unpaid one).
 */
export function rescheduleAppointment(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  wish: NewTime,
): Outcome<Appointment> {
  return change(deps, actor, (doing): Outcome<Appointment> => {
    const { tx, now } = doing;
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const refusal =
      refuseChange(appointment, { actor, version: wish.version }, deps.env, now) ??
      refuseTime(wish, now);
    if (refusal) return refusal;
    const isOwnTime = wish.date === appointment.date && wish.timeSlot === appointment.timeSlot;
    if (isOwnTime && isPaid(appointment)) return success(appointment);
    if (!freeTimes(tx, deps, actor, appointment, wish.date, now).includes(wish.timeSlot)) {
      return SLOT_TAKEN;
    }
    // What staff move is held as ever.
    const hold = isPaid(appointment)
      ? success(null)
      : actor.kind === "admin"
        ? success(openWindow(deps.env, now))
        : openHold(tx, deps.env, appointment, now);
    if (!hold.ok) return hold;
    return success(move(doing, deps, actor, appointment, wish, hold.value));
  });
}

/** Start times the appointment can be moved to on a date, its own included, ascending. */
export function readNewTimes(
  deps: Pick<Deps, "db" | "env" | "now">,
  actor: Actor,
  appointment: Appointment,
  date: string,
): string[] {
  return freeTimes(deps.db, deps, actor, appointment, date, deps.now());
}

function refuseTime({ date, timeSlot }: NewTime, now: number) {
  if (!isCalendarDate(date)) return invalid({ date: ["Please select a date that exists"] });
  if (date < dateInIndia(now)) {
    return invalid({ date: ["Please select a date that is not in the past"] });
  }
  if (!MASTER_TIMES.includes(timeSlot)) {
    return invalid({ newTimeSlot: ["Please select a time slot from the list"] });
  }
  return null;
}

function freeTimes(
  db: Db,
  { env }: Pick<Deps, "env">,
  actor: Actor,
  { id, counselorKey, minutes }: Appointment,
  date: string,
  now: number,
): string[] {
  const plan = readDayPlan(db, counselorKey, date, now, id);
  return actor.kind === "admin"
    ? movableTimes(plan, minutes, now)
    : bookableTimes(plan, minutes, env, now);
}

function move(
  { tx, now, log }: Change,
  { env }: Pick<Deps, "env">,
  actor: Actor,
  appointment: Appointment,
  { date, timeSlot }: NewTime,
  window: PaymentWindow | null,
): Appointment {
  const { id } = appointment;
  updateAppointment(tx, id, now, {
    time: sessionTimeOf({ ...appointment, date, timeSlot }),
    calendarSequence: appointment.calendarSequence + 1,
    ...(window ? { window } : { status: "rescheduled" }),
  });
  const moved = findAppointment(tx, id)!;
  takePlannedTime(tx, moved, now);
  log("reschedule", id, { before: timeOf(appointment), after: timeOf(moved) });
  queueMessages(tx, env, now, {
    type: "rescheduled",
    appointment: moved,
    previous: { date: appointment.date, timeSlot: appointment.timeSlot },
    by: actor.kind,
  });
  return moved;
}

function timeOf({ date, timeSlot, status }: Appointment) {
  return { date, timeSlot, status };
}
