/** Which start times are free. */
import { addDays, DAY, dateInIndia, instantOf, MINUTE, minutesOf } from "#app/model/dates.ts";
import { BLOCK_MINUTES, type DayPlan, MASTER_TIMES, type Span } from "#app/model/day-plan.ts";

/** A midnight in India, from which all others are whole days away. */
const SOME_MIDNIGHT = instantOf("2020-01-01");

export interface BookingRules {
  /** Minutes between now and the earliest start offered. */
  minNoticeMinutes: number;
  /** Days from today to the last date offered. */
  bookingWindowDays: number;
}

/** Strongest first. */
type ObstacleKind = "taken" | "block" | "leave" | "buffer" | "busy";

/** A span in which no session can take place, and why. */
export interface Obstacle extends Span {
  kind: ObstacleKind;
  /** The time of a block, the id of a leave, the start of the session that a buffer belongs to. */
  of: string | number;
  reason: string | null;
}

/** Obstacles that staff may override. */
export const OVERRIDABLE: readonly ObstacleKind[] = ["leave", "buffer", "busy"];

/** Obstacles that do not stop a visitor who held the time before and renews the hold or pays late. */
const PASSED_BY_THE_LATE: readonly ObstacleKind[] = ["buffer", "busy"];

/** The day's start times, ascending, before any obstacle. */
export function startTimes(
  plan: Pick<DayPlan, "setTimes" | "usualTimes" | "leave">,
): readonly string[] {
  return plan.leave.length > 0 ? [] : (plan.setTimes ?? plan.usualTimes);
}

/** Start times at which a visitor can book a session of `minutes` on the day, ascending. */
export function bookableTimes(
  plan: DayPlan,
  minutes: number,
  rules: BookingRules,
  now: number,
): string[] {
  const midnight = instantOf(plan.date);
  if (plan.isOff || !isDayOffered(midnight, rules, now)) return [];
  const earliest = now + rules.minNoticeMinutes * MINUTE;
  return timesFrom(plan, midnight, startTimes(plan), minutes, earliest);
}

/**
 * Start times to which staff can move a session: all times of the master list that are in the
 * future, not blocked and not taken; some of them only with `override`.
 */
export function movableTimes(plan: DayPlan, minutes: number, now: number): string[] {
  return timesFrom(plan, instantOf(plan.date), MASTER_TIMES, minutes, now + 1, OVERRIDABLE);
}

/** True if a visitor who had the time before can have it again. */
export function isLeft(plan: DayPlan, timeSlot: string, minutes: number): boolean {
  return obstacleTo(plan, timeSlot, minutes, PASSED_BY_THE_LATE) === null;
}

/** The strongest obstacle to a session at the time, or null if it is free. */
export function obstacleTo(
  plan: DayPlan,
  timeSlot: string,
  minutes: number,
  passed: readonly ObstacleKind[] = [],
): Obstacle | null {
  const startsAt = instantOf(plan.date, timeSlot);
  const span = { startsAt, endsAt: startsAt + minutes * MINUTE };
  return obstaclesOn(plan, passed).find((obstacle) => overlaps(span, obstacle)) ?? null;
}

/**
 * All obstacles on the day, strongest first. Sessions of other days do not count: the last one ends
 * longer before midnight than any buffer.
 */
export function obstaclesOn(plan: DayPlan, passed: readonly ObstacleKind[] = []): Obstacle[] {
  const { blocked, leave, busy, taken, bufferMinutes } = plan;
  const midnight = instantOf(plan.date);
  const list: Obstacle[] = [];
  const add = (
    kind: ObstacleKind,
    span: Span,
    of: string | number,
    reason: string | null,
    by = 0,
  ) => list.push({ kind, of, reason, startsAt: span.startsAt - by, endsAt: span.endsAt + by });
  for (const span of taken) add("taken", span, span.startsAt, null);
  for (const { timeSlot, reason } of blocked) {
    const startsAt = midnight + minutesOf(timeSlot) * MINUTE;
    add("block", { startsAt, endsAt: startsAt + BLOCK_MINUTES * MINUTE }, timeSlot, reason);
  }
  if (!passed.includes("leave")) {
    for (const { id, reason } of leave) {
      add("leave", { startsAt: midnight, endsAt: midnight + DAY }, id, reason);
    }
  }
  if (bufferMinutes > 0 && !passed.includes("buffer")) {
    for (const span of taken) add("buffer", span, span.startsAt, null, bufferMinutes * MINUTE);
  }
  if (!passed.includes("busy")) for (const span of busy) add("busy", span, span.startsAt, null);
  return list;
}

/** Identifies an obstacle, so that it can be recognized later. */
export function causeOf({ kind, of, endsAt }: Obstacle): string {
  return kind === "busy" ? `busy:${of}-${endsAt}` : `${kind}:${of}`;
}

/** True from today to the end of the booking window. */
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

/**
 * When the offered times next change by themselves: when a start time falls within the minimum
 * notice, or at midnight in India.
 */
export function nextOfferChange(rules: BookingRules, now: number): number {
  const notice = rules.minNoticeMinutes * MINUTE;
  const step = 30 * MINUTE;
  const boundary = (Math.floor((now + notice) / step) + 1) * step - notice;
  return Math.min(boundary + 1, instantOf(addDays(dateInIndia(now), 1)));
}

export function overlaps(a: Span, b: Span): boolean {
  return a.startsAt < b.endsAt && b.startsAt < a.endsAt;
}

/** The times from `earliest` on at which no obstacle stops a session. */
function timesFrom(
  plan: DayPlan,
  midnight: number,
  times: readonly string[],
  minutes: number,
  earliest: number,
  passed?: readonly ObstacleKind[],
): string[] {
  if (times.length === 0) return [];
  const obstacles = obstaclesOn(plan, passed);
  return times.filter((timeSlot) => {
    const startsAt = midnight + minutesOf(timeSlot) * MINUTE;
    const span = { startsAt, endsAt: startsAt + minutes * MINUTE };
    return startsAt >= earliest && !obstacles.some((obstacle) => overlaps(span, obstacle));
  });
}
