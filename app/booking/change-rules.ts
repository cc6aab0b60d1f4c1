/** Who may change an appointment, and until when. Pure. */
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import {
  type Appointment,
  changeableUntil,
  cutoffOf,
  isPaid,
  untilWords,
} from "#app/model/appointment.ts";
import { type Failure, failure } from "#app/model/outcome.ts";

/**
 * Null if the appointment may be moved or cancelled. Refusals: `stale`, `already_cancelled`, and
 * for a customer `validation_failed` after the cut-off.
 */
export function refuseChange(
  appointment: Appointment,
  { actor, version }: { actor: Actor; version?: number | undefined },
  env: Pick<Env, "selfServiceCutoffHours">,
  now: number,
): Failure | null {
  const refusal = refuseStale(appointment, version) ?? refuseCancelled(appointment);
  if (refusal) return refusal;
  const hours = cutoffOf(appointment, env.selfServiceCutoffHours);
  if (actor.kind !== "customer" || now < changeableUntil(appointment.startsAt, hours)) return null;
  const what = isPaid(appointment) ? "A session" : "A booking";
  return failure(
    "validation_failed",
    `${what} can be moved or cancelled online until ${untilWords(hours, "it starts")}. Please write to us.`,
  );
}

/** Once its customer is erased, a booking gets no words about a person, no payment and no other time. */
export function refuseErased({ contact }: Pick<Appointment, "contact">): Failure | null {
  if (contact.email !== "") return null;
  return failure("not_found", "The personal data of this booking is erased.");
}

/** Until when a customer may move or cancel the appointment. */
export function selfServiceEnd(
  appointment: Pick<Appointment, "startsAt" | "cutoffHours">,
  { selfServiceCutoffHours }: Pick<Env, "selfServiceCutoffHours">,
): number {
  return changeableUntil(appointment.startsAt, cutoffOf(appointment, selfServiceCutoffHours));
}

export function refuseCancelled({ status }: Pick<Appointment, "status">): Failure | null {
  if (status !== "cancelled") return null;
  return failure("already_cancelled", "This appointment is already cancelled.");
}

/** Refuses a form made from an older version of the row. Without a version nothing is refused. */
export function refuseStale(
  appointment: Pick<Appointment, "version">,
  version: number | undefined,
): Failure | null {
  if (version === undefined || version === appointment.version) return null;
  return failure(
    "stale",
    "This appointment was changed in the meantime. Please look at it again before you go on.",
  );
}

/** True for the time that the appointment has already. */
export function isOwnTime(appointment: SlotTime, { date, timeSlot }: SlotTime): boolean {
  return date === appointment.date && timeSlot === appointment.timeSlot;
}

type SlotTime = Pick<Appointment, "date" | "timeSlot">;
