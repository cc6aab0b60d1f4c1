/** Whether an appointment's time can be had, and taking it. */
import { isFree } from "#app/availability/slots.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { failure } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { holdsTime, takeTime } from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import type { TimeLeft } from "./payment-window.ts";

export const SLOT_TAKEN = failure(
  "slot_taken",
  "This time was just taken. Please choose another one.",
);

export function timeLeft(db: Db, appointment: Appointment, now: number): TimeLeft {
  const { id, counselorKey, date, timeSlot, minutes, startsAt } = appointment;
  if (holdsTime(db, id, now)) return "held";
  if (startsAt <= now) return "gone";
  return isFree(readDayPlan(db, counselorKey, date, now, id), timeSlot, minutes) ? "free" : "gone";
}

/** Takes the appointment's time, which was found to be free in the same transaction. */
export function takePlannedTime(tx: Db, appointment: Appointment, now: number): void {
  if (!takeTime(tx, appointment, now)) {
    throw new Error("a time that the plan shows as free is taken in the same transaction");
  }
}

/** Takes the time of a session that is being paid; false if it cannot be had. */
export function takeForGood(tx: Db, appointment: Appointment, now: number): boolean {
  return takeTime(tx, { ...appointment, window: null }, now);
}
