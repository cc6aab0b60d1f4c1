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

type Wanted = Pick<Appointment, "id" | "counselorKey" | "startsAt" | "endsAt">;

/** Takes a time that was found to be free in the same transaction; null holds it for good. */
export function takePlannedTime(
  tx: Db,
  wanted: Wanted,
  heldUntil: number | null,
  now: number,
): void {
  if (!take(tx, wanted, heldUntil, now)) {
    throw new Error("a time that the plan shows as free is taken in the same transaction");
  }
}

/** Takes the time of a session that is being paid; false if it cannot be had. */
export function takeForGood(tx: Db, wanted: Wanted, now: number): boolean {
  return take(tx, wanted, null, now);
}

function take(tx: Db, wanted: Wanted, heldUntil: number | null, now: number): boolean {
  const { id: appointmentId, counselorKey, startsAt, endsAt } = wanted;
  return takeTime(tx, { appointmentId, counselorKey, startsAt, endsAt, heldUntil }, now);
}
