/** How long an unpaid booking keeps its time. Pure. */
import type { Env } from "#app/core/env.server.ts";
import {
  type Appointment,
  hasOpenLink,
  isHeldTooLong,
  isPaid,
  longestHold,
  mayRenew,
  PAYING_TAKES_MS,
  type PaymentWindow,
  refuseRenewal,
} from "#app/model/appointment.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { PRESSURE_HOLD_SECONDS, PRESSURE_PAYMENT_SECONDS } from "./pressure.ts";

export interface Opening {
  underPressure?: boolean;
  /** When the booking was made; by default `now`. */
  madeAt?: number | undefined;
}

/**
 * The window that opens at `now`. If a visitor has held the booking for as long as allowed, the
 * window is already over.
 */
export function openWindow(
  env: Pick<Env, "paymentWindowSeconds" | "holdSeconds">,
  now: number,
  { underPressure = false, madeAt }: Opening = {},
): PaymentWindow {
  const seconds = (usual: number, most: number) => (underPressure ? Math.min(most, usual) : usual);
  const pay = seconds(env.paymentWindowSeconds, PRESSURE_PAYMENT_SECONDS) * 1000;
  const hold = seconds(env.holdSeconds, PRESSURE_HOLD_SECONDS) * 1000;
  const holdUntil = Math.min(now + hold, (madeAt ?? now) + longestHold(env));
  const payBefore = holdUntil - Math.min(hold - pay, PAYING_TAKES_MS);
  return { payBefore: Math.min(now + pay, payBefore), holdUntil };
}

const LINK_DAYS = 7;

/** Why no payment link can be sent any more; null before the session. */
export function refuseLink(startsAt: number, now: number): string | null {
  return startsAt > now ? null : "The session has begun, so no payment link can be sent any more";
}

/**
 * The window of a booking whose payment link staff send: until `wanted`, or without it until a day
 * from `now` or two hours before the session, whichever is earlier. The hold lasts longer, as a
 * visitor's does, and both end before the session. Refusal: `validation_failed` on `field`.
 */
export function linkWindow(
  { paymentWindowSeconds, holdSeconds }: Pick<Env, "paymentWindowSeconds" | "holdSeconds">,
  startsAt: number,
  wanted: number | undefined,
  now: number,
  field = "payment",
): Outcome<PaymentWindow> {
  const payBefore = wanted ?? Math.min(now + DAY, startsAt - 2 * HOUR);
  const fault =
    refuseLink(startsAt, now) ??
    (payBefore <= now
      ? wanted === undefined
        ? "The session starts too soon for a payment link of its own length. Please say until when it can be paid, or take the payment yourself"
        : "Please let the link be paid until a time that is still to come"
      : payBefore > now + LINK_DAYS * DAY
        ? `Please let the link be paid within ${LINK_DAYS} days`
        : payBefore >= startsAt
          ? "Please let the link be paid until a time before the session"
          : null);
  if (fault) return invalid({ [field]: [fault] });
  const gap = (holdSeconds - paymentWindowSeconds) * 1000;
  return success({ payBefore, holdUntil: Math.min(payBefore + gap, startsAt - 1) });
}

/** The window shortened to end before the session. */
export function keptLink({ payBefore, holdUntil }: PaymentWindow, startsAt: number): PaymentWindow {
  const hold = Math.min(holdUntil, startsAt - 1);
  return { payBefore: Math.min(payBefore, hold), holdUntil: hold };
}

/** False for an unpaid booking that a visitor has held as often or as long as allowed. */
export function mayMove(
  appointment: Parameters<typeof hasOpenLink>[0] & Pick<Appointment, "renewals" | "createdAt">,
  env: Pick<Env, "paymentWindowSeconds" | "holdSeconds">,
  now: number,
): boolean {
  if (isPaid(appointment) || hasOpenLink(appointment, now)) return true;
  return mayRenew(appointment) && !isHeldTooLong(env, appointment, now);
}

/** An unpaid booking's time: `held` by itself, `free`, `gone` (taken or blocked), or `begun`. */
export type TimeLeft = "held" | "free" | "gone" | "begun";

/** Why an ended window cannot be opened again, or null. `time` comes from `timeToRenew`. */
export function renewal(
  appointment: Pick<Appointment, "renewals" | "heldByStaff" | "startsAt" | "createdAt">,
  time: TimeLeft,
  env: Pick<Env, "minNoticeMinutes" | "paymentWindowSeconds" | "holdSeconds">,
  now: number,
): "too_often" | "too_soon" | "time_gone" | null {
  const isTaken = time === "gone" || time === "begun";
  return refuseRenewal(appointment, env, now) ?? (isTaken ? "time_gone" : null);
}
