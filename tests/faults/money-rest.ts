/** A money world comes to rest: nothing fails any more, and staff do what waits for them. */
import { sweep } from "#app/jobs/retention.server.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { listRefundsForPerson } from "#db/queries/payments.server.ts";
import {
  dealWithUnmatched,
  refundRows,
  settleByHand,
  stepDispute,
  tryAgain,
  unmatchedIds,
} from "./money-desk.ts";
import { advance, nextDue } from "./money-time.ts";
import type { MoneyWorld } from "./money-world.ts";

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
