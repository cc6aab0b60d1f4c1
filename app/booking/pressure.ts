/**
 * Pressure: unpaid bookings keep so much of a captain's next week that they may be made up to keep
 * customers away. While it lasts, new holds are shorter and a network has fewer of them.
 */
import { type BookingRules, bookableTimes } from "#app/availability/slots.ts";
import { instantOf } from "#app/model/dates.ts";
import {
  BLOCK_MINUTES,
  type DayPlan,
  LONGEST_SESSION_MINUTES,
  type Span,
} from "#app/model/day-plan.ts";

/** The longest a hold of a visitor lasts under pressure. */
export const PRESSED_PAYMENT_SECONDS = 5 * 60;
export const PRESSED_HOLD_SECONDS = 20 * 60;
/** Unpaid holds that one network may have under pressure. */
export const PRESSED_HOLDS_PER_NETWORK = 6;

export const PRESSURE_SPAN_MS = 7 * 86_400_000;
const LEAST_TIMES = 8;
const LEAST_NETWORKS = 2;

/** A visitor's unpaid hold that still runs. */
export interface VisitorHold extends Span {
  /** As `networkOf` names it. */
  network: string;
}

export interface Pressure {
  /** The captain's times of the next seven days, and how many of them unpaid holds keep. */
  times: number;
  held: number;
}

/** False where the holds alone tell that there is none, so that nothing more need be read. */
export function mayPress(holds: readonly VisitorHold[]): boolean {
  const mostTimes = (holds.length * LONGEST_SESSION_MINUTES) / BLOCK_MINUTES;
  const networks = new Set(holds.map((hold) => hold.network));
  return mostTimes >= LEAST_TIMES && networks.size >= LEAST_NETWORKS;
}

/**
 * The pressure of one captain's holds on the plans of the next seven days, or null if there is none.
 * A captain's times are the starts that a visitor could book now if nobody held any: offered, far
 * enough ahead, not blocked, not sold. So a calendar that is mostly sold counts what is left of it,
 * and neither a package nor a page changes the count. A long hold keeps each start it covers.
 */
export function pressureOf(
  plans: readonly DayPlan[],
  holds: readonly VisitorHold[],
  rules: BookingRules,
  now: number,
): Pressure | null {
  if (!mayPress(holds)) return null;
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
  const pressed = held >= LEAST_TIMES && held * 3 > times.length;
  return pressed ? { times: times.length, held } : null;
}
