/** How long an unpaid booking keeps its time. */
import type { Env } from "#app/core/env.server.ts";
import { PRESSED_HOLD_SECONDS, PRESSED_PAYMENT_SECONDS } from "./pressure.ts";

/** Instants, milliseconds UTC. */
export interface HoldTimes {
  /** Until when paying may be started, and until when the time is kept. */
  payBefore: number;
  holdUntil: number;
}

/** The window that opens at `now`; `pressed` while the captain's calendar is under pressure. */
export function openWindow(
  env: Pick<Env, "paymentWindowSeconds" | "holdSeconds">,
  now: number,
  { pressed = false } = {},
): HoldTimes {
  const pay = pressed
    ? Math.min(PRESSED_PAYMENT_SECONDS, env.paymentWindowSeconds)
    : env.paymentWindowSeconds;
  const hold = pressed ? Math.min(PRESSED_HOLD_SECONDS, env.holdSeconds) : env.holdSeconds;
  return { payBefore: now + pay * 1000, holdUntil: now + hold * 1000 };
}
