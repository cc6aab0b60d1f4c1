import { readOwnBookingId } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { isHeld, isPaid } from "#app/model/appointment.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";

export interface OwnBooking {
  id: string;
  counselor: string;
  date: string;
  timeSlot: string;
  /** Milliseconds UTC until when an unpaid time is held; null once it is paid. */
  holdUntil: number | null;
}

/**
 * The unpaid time this browser holds right now, or the coming session it has paid: a phone may drop
 * the page while the bank's app is open, so nobody books twice. Else null.
 */
export async function readOwnBooking(
  deps: Pick<Deps, "db" | "env" | "now">,
  request: Request,
): Promise<OwnBooking | null> {
  const id = await readOwnBookingId(deps.env, request.headers.get("cookie"));
  const appointment = id ? findAppointment(deps.db, id) : null;
  if (!appointment) return null;
  const { counselor, date, timeSlot } = appointment;
  const own = { id: appointment.id, counselor, date, timeSlot };
  if (isPaid(appointment)) {
    return appointment.startsAt > deps.now() ? { ...own, holdUntil: null } : null;
  }
  if (!isHeld(appointment, deps.now())) return null;
  return { ...own, holdUntil: appointment.window!.holdUntil };
}
