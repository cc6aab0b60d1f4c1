/** Time passes in a money world: what fails for a while, a copy that is put back, and how all comes to rest. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { sweep } from "#app/jobs/retention.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { listRefundsForPerson } from "#db/queries/payments.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import {
  dealWithUnmatched,
  type Move,
  refundRows,
  rowsOf,
  settleByHand,
  stepDispute,
  tryAgain,
  unmatchedIds,
} from "./money-picks.ts";
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

export const backUp: Move = async (world) => {
  const { folder } = world.store;
  const at = world.clock.now;
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
  const path = join(folder, `bookings-${stamp}.db`);
  if (world.copies.some((copy) => copy.path === path)) return;
  world.db.runRaw("VACUUM INTO ?", [path]);
  world.copies.push({ path, at });
  world.note(`a copy is made: ${stamp}`);
};

/** Now and then the copy came over a network that dated it anew. */
export const restore: Move = async (world) => {
  const copy = world.copies.at(-1);
  const { folder } = world.store;
  if (!copy) return;
  for (const process of world.processes) process.stop();
  const { now } = world.clock;
  const dated = (world.dice.often(0.5) ? copy.at : now) / 1000;
  utimesSync(copy.path, dated, dated);
  const { seriesLetter } = await restoreBackup(copy.path, join(folder, "world.db"), now);
  for (const process of world.processes) process.start();
  world.restoredAt = now;
  world.byClockAt = 0;
  world.forPerson.clear();
  const statuses = new Map(rowsOf(world).map(({ id, status }) => [id, status]));
  for (const facts of world.bookings.values()) {
    if (statuses.get(facts.id) !== "cancelled") facts.cancelled = null;
  }
  world.note(`the copy of ${new Date(copy.at).toISOString()} is restored: ${seriesLetter}`);
};

const REST_DAYS = 30;
/** Far beyond what is due once in those days. */
const MOST_LATE_TURNS = 80;
const MOST_LATE_CALLS = 12;
const LISTED_DAILY = new Set(["listDisputes", "listRefundsMade"]);

export async function comeToRest(world: MoneyWorld): Promise<void> {
  world.weather.calm();
  world.note("— rest begins");
  await advance(world, HOUR);
  const until = world.clock.now + REST_DAYS * DAY;
  for (let day = 0; world.clock.now < until; day++) {
    await seeToMoney(world, day);
    await advance(world, 2 * HOUR);
    endProvider(world);
    await advance(world, HOUR);
    const next = Math.min(nextDue(world), world.nextPlan(), world.nextHour(world.clock.now));
    const isQuiet = day > 2 && next > world.clock.now + DAY && !waitsForPerson(world);
    await advance(world, isQuiet ? Math.min(next, until) - world.clock.now : 21 * HOUR);
  }
  await watchCalls(world);
}

/** What nobody paid for is emptied in its time, also where late money came for it and went back. */
export async function clearUnpaid(world: MoneyWorld): Promise<void> {
  world.clock.now += 100 * DAY;
  await sweep(world.processes[0]!.deps);
  const left = world.db.allRaw<{ id: string; status: string }>(
    `SELECT id, status FROM appointment a WHERE personal_data_erased_at IS NULL
       AND status IN ('pending_payment', 'cancelled') AND kept_paise = 0
       AND NOT EXISTS (SELECT 1 FROM document d WHERE d.appointment_id = a.id)`,
  );
  for (const { status } of left) world.wrong("what nobody paid for is emptied", status);
}

/** What is open at the provider ends. */
function endProvider(world: MoneyWorld): void {
  const { books } = world;
  for (const refund of books.refunds) books.processRefund(refund);
  for (const dispute of books.disputes) {
    while (dispute.status === "open" || dispute.status === "under_review") {
      stepDispute(world, dispute);
    }
  }
}

function waitsForPerson(world: MoneyWorld): boolean {
  return listRefundsForPerson(world.db, 1).length > 0 || unmatchedIds(world).length > 0;
}

/** What stands under "needs you": tried again for some days, then paid back by hand. */
async function seeToMoney(world: MoneyWorld, day: number): Promise<void> {
  const process = world.processes[0]!;
  for (const { id } of listRefundsForPerson(world.db, 50)) {
    const row = refundRows(world).find((one) => one.id === id)!;
    if (isOfflinePayment(row.payment_id)) await settleByHand(world, process, row);
    else if (day < 4) await tryAgain(world, process, row);
    else if (!(await settleByHand(world, process, row))) await tryAgain(world, process, row);
  }
  for (const id of unmatchedIds(world)) await dealWithUnmatched(world, process, id);
  await world.finish();
}

/** For thirty more days nothing is read again and again, beside what is listed once a day. */
async function watchCalls(world: MoneyWorld): Promise<void> {
  const { clock } = world;
  const until = clock.now + 30 * DAY;
  const before = { ...world.calls };
  for (let turns = 0; turns < MOST_LATE_TURNS && clock.now < until; turns++) {
    clock.now = Math.min(until, Math.max(nextDue(world), clock.now + 60_000));
    await world.turn();
  }
  for (const [name, count] of Object.entries(world.calls)) {
    const late = count - (before[name] ?? 0);
    const most = LISTED_DAILY.has(name) ? 2 * 31 + 2 : MOST_LATE_CALLS;
    if (late > most) world.wrong("no read is repeated for ever", `${late} late calls of ${name}`);
  }
}
