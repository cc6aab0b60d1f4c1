/** Which start times are free: pure rules over plain data, `now` is an argument. */
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { addDays, dateInIndia, instantOf, minutesOf } from "#app/model/dates.ts";
import type { DayPlan, Span } from "#app/model/day-plan.ts";
import { DAY, MINUTE } from "#app/model/duration.ts";
import { BLOCK_MINUTES, MASTER_TIMES } from "#app/model/time-slot.ts";

/** Any midnight in India; the others are whole days from it. */
const SOME_MIDNIGHT = instantOf("2020-01-01");

export interface BookingRules {
  /** Minutes between now and the earliest start offered. */
  minNoticeMinutes: number;
  /** Days from today to the last date offered. */
  bookingWindowDays: number;
}

/** The day's offered start times, ascending, before blocks and sessions take theirs. */
function startTimes(plan: Pick<DayPlan, "setTimes">): readonly string[] {
  return plan.setTimes ?? DEFAULT_TIMES;
}

/** Start times at which a session of `minutes` fits on the day for a visitor, ascending. */
export function bookableTimes(
  plan: DayPlan,
  minutes: number,
  rules: BookingRules,
  now: number,
): string[] {
  const midnight = instantOf(plan.date);
  if (!isDayOffered(midnight, rules, now)) return [];
  const earliest = now + rules.minNoticeMinutes * MINUTE;
  return freeTimes(plan, midnight, startTimes(plan), minutes).filter(
    (timeSlot) => midnight + minutesOf(timeSlot) * MINUTE >= earliest,
  );
}

/** Start times an admin may move a session to: the whole master list, future, not blocked, free. */
export function movableTimes(plan: DayPlan, minutes: number, now: number): string[] {
  const midnight = instantOf(plan.date);
  return freeTimes(plan, midnight, MASTER_TIMES, minutes).filter(
    (timeSlot) => midnight + minutesOf(timeSlot) * MINUTE > now,
  );
}

/** True if no block touches the session and no other session overlaps it. */
export function isFree(plan: DayPlan, timeSlot: string, minutes: number): boolean {
  return freeTimes(plan, instantOf(plan.date), [timeSlot], minutes).length === 1;
}

/** Dates from today to the end of the booking window are offered. */
export function isDateOffered(date: string, rules: BookingRules, now: number): boolean {
  return isDayOffered(instantOf(date), rules, now);
}

function isDayOffered(midnight: number, rules: BookingRules, now: number): boolean {
  const today = now - ((now - SOME_MIDNIGHT) % DAY);
  return midnight >= today && midnight <= today + rules.bookingWindowDays * DAY;
}

export function lastDateOffered(rules: BookingRules, now: number): string {
  return addDays(dateInIndia(now), rules.bookingWindowDays);
}

/** When time alone next changes what is offered: a start falls under the notice, or a day begins. */
export function nextOfferChange(rules: BookingRules, now: number): number {
  const notice = rules.minNoticeMinutes * MINUTE;
  const step = 30 * MINUTE;
  const boundary = (Math.floor((now + notice) / step) + 1) * step - notice;
  return Math.min(boundary + 1, instantOf(addDays(dateInIndia(now), 1)));
}

export function overlaps(a: Span, b: Span): boolean {
  return a.startsAt < b.endsAt && b.startsAt < a.endsAt;
}

function freeTimes(
  plan: DayPlan,
  midnight: number,
  candidates: readonly string[],
  minutes: number,
): string[] {
  const busy: Span[] = [...plan.taken];
  for (const timeSlot of plan.blocked) {
    const startsAt = midnight + minutesOf(timeSlot) * MINUTE;
    busy.push({ startsAt, endsAt: startsAt + BLOCK_MINUTES * MINUTE });
  }
  return candidates.filter((timeSlot) => {
    const startsAt = midnight + minutesOf(timeSlot) * MINUTE;
    const span = { startsAt, endsAt: startsAt + minutes * MINUTE };
    return !busy.some((other) => overlaps(span, other));
  });
}
