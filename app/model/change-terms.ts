/**
 * What a customer may still do with a session, in one sentence: the booking form says it of the time
 * that is chosen, the booking's page and the mails of the booking. It names no moment that has passed.
 */
import { changeableUntil } from "./appointment.ts";
import { dateInIndia, formatClock, formatShortDay } from "./dates.ts";

/** What cancelling in time gives back of a booking of which nothing was refunded before. */
export const FULL_REFUND = "cancel it with a full refund";

/** `24 hours`. */
export function hoursWords(hours: number): string {
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

/** `24 hours before the start`; without a cut-off `the start`. `what` is what begins then. */
export function untilWords(cutoffHours: number, what = "the start"): string {
  return cutoffHours === 0 ? what : `${hoursWords(cutoffHours)} before ${what}`;
}

export interface Terms {
  /** Milliseconds UTC. */
  startsAt: number;
  now: number;
  /** Hours before the start. */
  cutoffHours: number;
  /** What cancelling gives back, after "you can move the session, or". */
  cancelOffer?: string;
}

export function changeTerms(terms: Terms): string {
  const { startsAt, now, cutoffHours, cancelOffer = FULL_REFUND } = terms;
  const until = changeableUntil(startsAt, cutoffHours);
  if (now >= until) {
    const what = now < startsAt ? `begins in less than ${hoursWords(cutoffHours)}` : "has begun";
    return `This session ${what}: it cannot be moved or refunded online.`;
  }
  const words = `${formatShortDay(dateInIndia(until))}, ${formatClock(until)} IST`;
  return cancelOffer === FULL_REFUND
    ? `Free to move or cancel until ${words}.`
    : `You can move the session, or ${cancelOffer}, until ${words}.`;
}
