/** Time passes in a money world, and what fails for a while. */
import { DAY, HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import type { Move } from "./money-picks.ts";
import type { MoneyWorld } from "./money-world.ts";

/** When a row of the file is due next. */
const NEXT_DUE = `SELECT min(at) AS at FROM (
  SELECT min(next_try_at) AS at FROM message WHERE next_try_at IS NOT NULL
  UNION ALL SELECT min(next_try_at) FROM refund WHERE next_try_at IS NOT NULL
  UNION ALL SELECT min(next_try_at) FROM provider_event WHERE state = 'new'
  UNION ALL SELECT min(next_check_at) FROM payment_order WHERE next_check_at IS NOT NULL)`;

/** In the longest stretch what is due waits for about so many turns at the most. */
const MOST_TURNS = 20;

export async function advance(world: MoneyWorld, span: number): Promise<void> {
  const { clock } = world;
  const until = clock.now + span;
  const least = Math.max(20 * SECOND, Math.ceil(span / MOST_TURNS));
  while (clock.now < until) {
    const { now } = clock;
    const next = Math.max(Math.min(nextDue(world), world.nextPlan()), now + least);
    clock.now = Math.min(until, next, world.nextHour(now), now + DAY);
    await world.turn();
  }
}

export function nextDue(world: MoneyWorld): number {
  return world.db.firstRaw<{ at: number | null }>(NEXT_DUE)?.at ?? Infinity;
}

const wait =
  (name: string, least: number, most: number): Move =>
  async (world) => {
    const span = world.dice.between(least, most);
    world.note(`${name}: ${Math.round(span / MINUTE)} min`);
    await advance(world, span);
  };

export const waitSeconds = wait("seconds pass", 2 * SECOND, 90 * SECOND);
export const waitMinutes = wait("minutes pass", 2 * MINUTE, 45 * MINUTE);
export const waitHours = wait("hours pass", HOUR, 30 * HOUR);
export const waitDays = wait("days pass", DAY, 7 * DAY);
/** Longer than an order of today is read, and shorter than a link can live. */
export const waitLong = wait("most of a week passes", 5 * DAY + 12 * HOUR, 7 * DAY - 4 * HOUR);
export const waitWeeks = wait("weeks pass", 8 * DAY, 20 * DAY);

export const providerDown: Move = async (world) => {
  world.weather.downUntil = world.clock.now + world.dice.between(MINUTE, 40 * HOUR);
  world.note("the provider does not answer");
};

export const balanceLow: Move = async (world) => {
  world.weather.poorUntil = world.clock.now + world.dice.between(HOUR, 4 * DAY);
  world.note("the balance at the provider is too low");
};

export const mailDown: Move = async (world) => {
  world.weather.mailDownUntil = world.clock.now + world.dice.between(MINUTE, 30 * HOUR);
  world.note("no mail goes out");
};

/** The keys are changed: what was made under the old ones is refused from now on. */
export const changeKeys: Move = async (world) => {
  const open = world.books.orders.filter(({ status }) => status === "created");
  for (const order of open) order.isForeign = true;
  world.note(`the keys are changed: ${open.length} orders are refused`);
};
