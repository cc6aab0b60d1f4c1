/** Which start times are free: pure rules over plain data, `now` is an argument. */
import { addDays, dateInIndia, instantOf, minutesOf } from "#app/model/dates.ts";
import { BLOCK_MINUTES, type DayPlan, MASTER_TIMES, type Span } from "#app/model/day-plan.ts";
import { DAY, MINUTE } from "#app/model/duration.ts";

/** Any midnight in India; the others are whole days from it. */
const SOME_MIDNIGHT = instantOf("2020-01-01");

export interface BookingRules {
  /** Minutes between now and the earliest start offered. */
  minNoticeMinutes: number;
  /** Days from today to the last date offered. */
  bookingWindowDays: number;
}

/** The strongest first. */
type ObstacleKind = "taken" | "block" | "leave" | "buffer" | "busy";

/** Keeps a session from its time. */
export interface Obstacle extends Span {
  kind: ObstacleKind;
  /** Of a block its time, of leave its id, of a buffer the start of the session it belongs to. */
  of: string | number;
  reason: string | null;
}

/** What staff may pass by saying so. */
export const OVERRIDABLE: readonly ObstacleKind[] = ["leave", "buffer", "busy"];

/** What does not stop a visitor who had the time before: a renewal, money that comes late. */
const PASSED_BY_THE_LATE: readonly ObstacleKind[] = ["buffer", "busy"];

/** The day's start times, ascending, before anything takes some of them. */
export function startTimes(
  plan: Pick<DayPlan, "setTimes" | "usualTimes" | "leave">,
): readonly string[] {
  return plan.leave.length > 0 ? [] : (plan.setTimes ?? plan.usualTimes);
}

/** Start times at which a session of `minutes` fits on the day for a visitor, ascending. */
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
 * Start times staff can move a session to: the whole master list, future, not blocked, not taken;
 * some of them only with `override`.
 */
export function movableTimes(plan: DayPlan, minutes: number, now: number): string[] {
  return timesFrom(plan, instantOf(plan.date), MASTER_TIMES, minutes, now + 1, OVERRIDABLE);
}

/** True if a visitor who had the time before can have it again. */
export function isLeft(plan: DayPlan, timeSlot: string, minutes: number): boolean {
  return obstacleTo(plan, timeSlot, minutes, PASSED_BY_THE_LATE) === null;
}

/** The strongest that keeps a session from the time, or null if the time is free. */
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
 * All that keeps a session from a time of the day, the strongest first. Sessions of another day do
 * not count: from the last one's end to midnight is longer than any buffer.
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

/** Names an obstacle for as long as it is the same one. */
export function causeOf({ kind, of, endsAt }: Obstacle): string {
  return kind === "busy" ? `busy:${of}-${endsAt}` : `${kind}:${of}`;
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

/** Those of the times that begin at `earliest` or later and that nothing keeps a session from. */
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
