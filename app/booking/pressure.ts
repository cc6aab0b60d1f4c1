/**
 * Pressure: so many unpaid bookings in a captain's next week that they may be fake, made to keep
 * customers away. Meanwhile new holds are shorter, and each network may have fewer. Pure.
 */
import { type BookingRules, bookableTimes } from "#app/availability/slots.ts";
import { DAY, instantOf } from "#app/model/dates.ts";
import {
  BLOCK_MINUTES,
  type DayPlan,
  LONGEST_SESSION_MINUTES,
  type Span,
} from "#app/model/day-plan.ts";

/** The longest hold of a visitor under pressure. */
export const PRESSURE_PAYMENT_SECONDS = 5 * 60;
export const PRESSURE_HOLD_SECONDS = 20 * 60;
export const PRESSURE_HOLDS_PER_NETWORK = 6;

export const PRESSURE_SPAN_MS = 7 * DAY;
const LEAST_TIMES = 8;
const LEAST_NETWORKS = 2;

/** A visitor's running unpaid hold. */
export interface VisitorHold extends Span {
  /** As `networkOf` returns it. */
  network: string;
}

export interface Pressure {
  /** The captain's times of the next seven days, and how many of them are held unpaid. */
  times: number;
  held: number;
}

/** False if the holds alone show that there is no pressure, which saves reading the plans. */
export function mayBePressure(holds: readonly VisitorHold[]): boolean {
  const mostTimes = (holds.length * LONGEST_SESSION_MINUTES) / BLOCK_MINUTES;
  const networks = new Set(holds.map((hold) => hold.network));
  return mostTimes >= LEAST_TIMES && networks.size >= LEAST_NETWORKS;
}

/**
 * The pressure of one captain's holds on the plans of the next seven days, or null. A captain's
 * times are the starts that a visitor could book now if there were no unpaid holds, so a calendar
 * that is mostly sold is judged by what is left of it, whatever the package. A long hold counts for
 * each start it covers.
 */
export function pressureOf(
  plans: readonly DayPlan[],
  holds: readonly VisitorHold[],
  rules: BookingRules,
  now: number,
): Pressure | null {
  if (!mayBePressure(holds)) return null;
  const heldStarts = new Set(holds.map((hold) => hold.startsAt));
  const starts = plans.flatMap((plan) => {
    const sold = plan.taken.filter((span) => !heldStarts.has(span.startsAt));
    return bookableTimes({ ...plan, taken: sold }, BLOCK_MINUTES, rules, now).map((timeSlot) =>
      instantOf(plan.date, timeSlot),
    );
  });
  const times = starts.filter((start) => start < now + PRESSURE_SPAN_MS);
  const held = times.filter((start) =>
    holds.some((hold) => hold.startsAt <= start && start < hold.endsAt),
  ).length;
  const isMuch = held >= LEAST_TIMES && held * 3 > times.length;
  return isMuch ? { times: times.length, held } : null;
}
