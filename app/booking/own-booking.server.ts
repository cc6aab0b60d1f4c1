/** The cookie that names the booking this browser made last, so that it can go on with it. */
import { createCookie } from "react-router";
import { hostCookieName } from "#app/lib/cookie-name.ts";
import type { Deps } from "#app/lib/deps.server.ts";
import { isId } from "#app/lib/ids.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { isPaid } from "./appointment.ts";

export const OWN_BOOKING_COOKIE = "last_booking";
const MAX_AGE_SECONDS = 6 * 3600;

function cookieFor(publicUrl: string) {
  return createCookie(hostCookieName(publicUrl, OWN_BOOKING_COOKIE), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl.startsWith("https:"),
    maxAge: MAX_AGE_SECONDS,
  });
}

export async function readOwnBookingId(
  { env }: Pick<Deps, "env">,
  request: Request,
): Promise<string | null> {
  const value: unknown = await cookieFor(env.publicUrl).parse(request.headers.get("cookie"));
  return isId(value) ? value : null;
}

export function ownBookingHeader({ env }: Pick<Deps, "env">, id: string): Promise<string> {
  return cookieFor(env.publicUrl).serialize(id);
}

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
 * the page while the bank's app is open, and nobody is to book anew what is paid. Else null.
 */
export async function readOwnBooking(
  deps: Pick<Deps, "db" | "env" | "now">,
  request: Request,
): Promise<OwnBooking | null> {
  const id = await readOwnBookingId(deps, request);
  const appointment = id ? findAppointment(deps.db, id) : null;
  if (!appointment) return null;
  const { counselor, date, timeSlot, holdUntil } = appointment;
  const own = { id: appointment.id, counselor, date, timeSlot };
  if (isPaid(appointment)) {
    return appointment.startsAt > deps.now() ? { ...own, holdUntil: null } : null;
  }
  if (appointment.status === "cancelled") return null;
  return holdUntil !== null && holdUntil > deps.now() ? { ...own, holdUntil } : null;
}
