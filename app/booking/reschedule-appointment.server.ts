/** Moves a session to another time; a paid one stays paid, an unpaid one gets a new hold. */
import { keepAsTaken } from "#app/availability/clashes.server.ts";
import { bookableTimes, movableTimes, obstacleTo, startTimes } from "#app/availability/slots.ts";
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import { type Change, changeAppointment } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import {
  type Appointment,
  hasOpenLink,
  isPaid,
  type PaymentWindow,
} from "#app/model/appointment.ts";
import { type Counselor, counselorNamed, findCounselorByKey } from "#app/model/catalogue.ts";
import { instantOf, isCalendarDate } from "#app/model/dates.ts";
import { MASTER_TIMES, sessionTimeOf } from "#app/model/day-plan.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { FALLBACK_BEFORE } from "#app/model/room.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { logUnpaidMove } from "#db/queries/activity.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { forgetUnanswered } from "#db/queries/ratings.server.ts";
import { findRoomOf } from "#db/queries/session-rooms.server.ts";
import { isOwnTime, refuseChange, refuseErased } from "./change-rules.ts";
import { giveRoom } from "./give-room.server.ts";
import { askGuardianAnew } from "./guardian.server.ts";
import { openHold } from "./holds.server.ts";
import { keptLink, linkWindow, openWindow } from "./payment-window.ts";
import { refusePastDate, refuseStaff, SLOT_TAKEN, takePlannedTime } from "./take-time.server.ts";

export interface NewTime {
  /** `yyyy-MM-dd` and `HH:mm` in India. */
  date: string;
  timeSlot: string;
  version?: number | undefined;
  /** True if staff use the time despite buffer, leave and imported busy times. */
  override?: boolean | undefined;
  /** The name of another captain, if staff hand the session over. */
  counselor?: string | undefined;
}

/**
 * Moves the appointment. Admins may use any free time of the master list, customers only what a
 * visitor could book. A paid session moved to its own time stays as it is. Refusals: `not_found`
 * (also of an erased customer), `already_cancelled`, `stale`, `validation_failed` (past date, time
 * not on the list, too late for a customer, captain), `slot_taken` (with `errors.timeSlot` if
 * `override` would help), `rate_limited` and `payment_window_over` (a customer's unpaid booking).
 */
export function rescheduleAppointment(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  request: NewTime,
): Outcome<Appointment> {
  return changeAppointment(deps, actor, id, (appointment, doing): Outcome<Appointment> => {
    const { tx, now } = doing;
    const refusal =
      refuseErased(appointment) ??
      refuseChange(appointment, { actor, version: request.version }, deps.env, now) ??
      refuseTime(request, now);
    if (refusal) return refusal;
    const captain = captainOf(tx, deps, appointment, request.counselor);
    if (!captain.ok) return captain;
    const isOwn = isOwnTime(appointment, request) && captain.value.key === appointment.counselorKey;
    if (isOwn && isPaid(appointment)) return success(appointment);
    const taken = refuseTaken(tx, deps, actor, appointment, captain.value.key, request, now);
    if (taken) return taken;
    const startsAt = instantOf(request.date, request.timeSlot);
    const hold = isPaid(appointment)
      ? success(null)
      : actor.kind === "admin"
        ? success(staffHold(deps.env, appointment, request, now))
        : hasOpenLink(appointment, now)
          ? success(keptLink(appointment.window!, startsAt))
          : openHold(tx, deps.env, { ...appointment, startsAt }, now);
    if (!hold.ok) return hold;
    return success(move(doing, deps, actor, appointment, captain.value, request, hold.value));
  });
}

/**
 * The hold of an unpaid booking that staff move. If staff hold it, it can be paid as long as with a
 * new link, or as long as before if that is longer. Window and hold end before the session.
 */
function staffHold(
  env: Env,
  { heldByStaff, window }: Appointment,
  request: NewTime,
  now: number,
): PaymentWindow {
  const startsAt = instantOf(request.date, request.timeSlot);
  const windows = [openWindow(env, now)];
  if (heldByStaff) {
    const link = linkWindow(env, startsAt, undefined, now);
    if (link.ok) windows.push(link.value);
    if (window) windows.push(window);
  }
  const longest = windows.reduce((one, other) => (other.payBefore > one.payBefore ? other : one));
  return keptLink(longest, startsAt);
}

type Captain = Pick<Counselor, "key" | "name">;

/** The named captain, who must be bookable, or the session's own. */
function captainOf(
  tx: Db,
  { env }: Pick<Deps, "env">,
  { counselorKey: key, counselor }: Appointment,
  name: string | undefined,
): Outcome<Captain> {
  if (name === undefined) return success({ key, name: counselor });
  const chosen = counselorNamed(readCatalogue(tx), name);
  if (!chosen.ok || chosen.value.key === key) return chosen;
  if (findCounselorByKey(readBookable({ db: tx, env }), chosen.value.key)) return chosen;
  return invalid({ counselor: ["This captain is off the page. Please select another one"] });
}

function refuseTaken(
  tx: Db,
  { env }: ChangeDeps,
  actor: Actor,
  { id, minutes }: Appointment,
  counselorKey: string,
  request: NewTime,
  now: number,
): Failure | null {
  const plan = readDayPlan(tx, counselorKey, request.date, now, id);
  if (actor.kind === "admin") return refuseStaff(plan, request, minutes, now);
  if (plan.isOff) return CAPTAIN_OFF;
  return bookableTimes(plan, minutes, env, now).includes(request.timeSlot) ? null : SLOT_TAKEN;
}

const CAPTAIN_OFF = failure(
  "slot_taken",
  "This captain takes no bookings any more. Please write to us to move to another one.",
);

function refuseTime({ date, timeSlot }: NewTime, now: number) {
  if (!isCalendarDate(date)) return invalid({ date: ["Please select a date that exists"] });
  const past = refusePastDate(date, now);
  if (past) return past;
  if (!MASTER_TIMES.includes(timeSlot)) {
    return invalid({ newTimeSlot: ["Please select a time slot from the list"] });
  }
  return null;
}

/**
 * Start times to which staff can move an appointment, or at which they can book if there is no
 * `id`; with the obstacle that needs `override`, and whether the day offers the time.
 */
export function readStaffTimes(
  { db, now }: Pick<Deps, "db" | "now">,
  moved: Pick<Appointment, "counselorKey" | "minutes"> & { id?: string },
  date: string,
) {
  const at = now();
  const plan = readDayPlan(db, moved.counselorKey, date, at, moved.id);
  return movableTimes(plan, moved.minutes, at).map((timeSlot) => ({
    timeSlot,
    obstacle: obstacleTo(plan, timeSlot, moved.minutes)?.kind ?? null,
    isOfDay: startTimes(plan).includes(timeSlot),
  }));
}

function move(
  { tx, now, log }: Change,
  { env }: Pick<Deps, "env">,
  actor: Actor,
  appointment: Appointment,
  captain: Captain,
  { date, timeSlot }: NewTime,
  window: PaymentWindow | null,
): Appointment {
  const { id, counselorKey, counselorEmail: email } = appointment;
  const isHandedOver = captain.key !== counselorKey;
  // A session that was paid after its end got no room.
  const hasNone = appointment.roomKind === null && appointment.endsAt <= now;
  const time = sessionTimeOf({ ...appointment, counselorKey: captain.key, date, timeSlot });
  const hasFallenBack = findRoomOf(tx, id)?.fellBackAt != null;
  const mayHaveOne = hasFallenBack && time.startsAt - FALLBACK_BEFORE > now;
  updateAppointment(tx, id, now, {
    time,
    ...(isHandedOver && { counselor: captain.name }),
    calendarSequence: appointment.calendarSequence + 1,
    ...(window ? { window } : { status: "rescheduled" }),
    ...(!window &&
      (isHandedOver || hasNone || mayHaveOne) &&
      giveRoom(tx, env, { ...time, id }, now)),
  });
  const moved = findAppointment(tx, id)!;
  takePlannedTime(tx, moved, now);
  // A session that had ended was asked about; the one that takes place now is asked about in its turn.
  forgetUnanswered(tx, id);
  const inSpiteOf = keepAsTaken(tx, actor, moved, now);
  const entry = {
    before: { ...timeOf(appointment), ...(isHandedOver && { counselor: appointment.counselor }) },
    after: {
      ...timeOf(moved),
      ...(isHandedOver && { counselor: moved.counselor }),
      ...(inSpiteOf.length > 0 && { inSpiteOf }),
    },
  };
  if (window && actor.kind === "customer") logUnpaidMove(tx, id, now, entry);
  else log("reschedule", id, entry);
  const isOnlyHeldAnew = moved.startsAt === appointment.startsAt && !isHandedOver;
  if (window && isOnlyHeldAnew) {
    queueMessages(tx, env, now, { type: "payment_link", appointment: moved });
    return moved;
  }
  queueMessages(tx, env, now, {
    type: "rescheduled",
    appointment: moved,
    previous: {
      date: appointment.date,
      timeSlot: appointment.timeSlot,
      ...(isHandedOver && { counselor: { key: counselorKey, email } }),
    },
    by: actor.kind,
  });
  if (appointment.startsAt <= now) askGuardianAnew(tx, env, moved, now, "moved");
  return moved;
}

function timeOf({ date, timeSlot, status }: Appointment) {
  return { date, timeSlot, status };
}
