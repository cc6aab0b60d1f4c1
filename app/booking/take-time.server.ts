/** Checks whether an appointment's time is free, and takes it. */
import { obstacleWords } from "#app/availability/clashes.server.ts";
import { isLeft, OVERRIDABLE, obstacleTo } from "#app/availability/slots.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, instantOf } from "#app/model/dates.ts";
import type { DayPlan } from "#app/model/day-plan.ts";
import { type Failure, failure, invalid } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { holdsTime, takeTime } from "#db/queries/hours.server.ts";
import type { TimeLeft } from "./payment-window.ts";

export const SLOT_TAKEN = failure(
  "slot_taken",
  "This time was just taken. Please choose another one.",
);

/** For an incoming payment, and for staff: a time that is only not offered any more still counts as free. */
export function timeLeft(db: Db, appointment: Appointment, now: number): TimeLeft {
  return timeOnPlan(db, appointment, now, false);
}

/** For a hold that its visitor renews: a captain off the page has no free time. */
export function timeToRenew(db: Db, appointment: Appointment, now: number): TimeLeft {
  return timeOnPlan(db, appointment, now, true);
}

function timeOnPlan(db: Db, appointment: Appointment, now: number, isRenewal: boolean): TimeLeft {
  const { id, counselorKey, date, timeSlot, minutes, startsAt } = appointment;
  if (holdsTime(db, id, now)) return "held";
  if (startsAt <= now) return "begun";
  const plan = readDayPlan(db, counselorKey, date, now, id);
  if (isRenewal && plan.isOff) return "gone";
  return isLeft(plan, timeSlot, minutes) ? "free" : "gone";
}

export function refusePastDate(date: string, now: number): Failure | null {
  if (date >= dateInIndia(now)) return null;
  return invalid({ date: ["Please select a date that is not in the past"] });
}

/**
 * Why staff cannot use a time of the master list, or null if they can. `override` passes buffer,
 * leave and busy times, never sessions or blocks.
 */
export function refuseStaff(
  plan: DayPlan,
  { timeSlot, override }: { timeSlot: string; override?: boolean | undefined },
  minutes: number,
  now: number,
): Failure | null {
  if (instantOf(plan.date, timeSlot) <= now) return BEGUN;
  const obstacle = obstacleTo(plan, timeSlot, minutes, override ? OVERRIDABLE : []);
  if (!obstacle) return null;
  if (!OVERRIDABLE.includes(obstacle.kind)) return SLOT_TAKEN;
  const message = `${obstacleWords(plan, obstacle)}. It can be used all the same, if you say so.`;
  return failure("slot_taken", message, { errors: { timeSlot: [message] } });
}

const BEGUN = failure("slot_taken", "This time has begun already. Please choose a later one.");

/** Takes a time that was found free in the same transaction. Throws if it is taken. */
export function takePlannedTime(tx: Db, appointment: Appointment, now: number): void {
  if (!takeTime(tx, appointment, now)) {
    throw new Error("a time that the plan shows as free is taken in the same transaction");
  }
}

/** Takes the time of a session that is being paid; false if it is taken. */
export function takeForGood(tx: Db, appointment: Appointment, now: number): boolean {
  return takeTime(tx, { ...appointment, window: null }, now);
}
