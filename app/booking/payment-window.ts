/** How long an unpaid booking keeps its time. */
import type { Env } from "#app/core/env.server.ts";
import { type Appointment, mayRenew, type PaymentWindow } from "#app/model/appointment.ts";
import { PRESSED_HOLD_SECONDS, PRESSED_PAYMENT_SECONDS } from "./pressure.ts";

/** The window that opens at `now`; `pressed` while the captain's calendar is under pressure. */
export function openWindow(
  env: Pick<Env, "paymentWindowSeconds" | "holdSeconds">,
  now: number,
  { pressed = false } = {},
): PaymentWindow {
  const pay = pressed
    ? Math.min(PRESSED_PAYMENT_SECONDS, env.paymentWindowSeconds)
    : env.paymentWindowSeconds;
  const hold = pressed ? Math.min(PRESSED_HOLD_SECONDS, env.holdSeconds) : env.holdSeconds;
  return { payBefore: now + pay * 1000, holdUntil: now + hold * 1000 };
}

/** An unpaid booking's time: its own; nobody's, still to come and not blocked; or not to be had. */
export type TimeLeft = "held" | "free" | "gone";

/** Why an ended window cannot be opened anew, or null if it can. `time` as `timeLeft` reads it. */
export function renewal(
  appointment: Pick<Appointment, "renewals" | "startsAt">,
  time: TimeLeft,
  { minNoticeMinutes }: Pick<Env, "minNoticeMinutes">,
  now: number,
): "too_often" | "too_soon" | "time_gone" | null {
  if (!mayRenew(appointment)) return "too_often";
  if (appointment.startsAt <= now + minNoticeMinutes * 60_000) return "too_soon";
  return time === "gone" ? "time_gone" : null;
}
