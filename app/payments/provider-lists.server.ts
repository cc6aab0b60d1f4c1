/**
 * Reads the provider's lists: once a day disputes and refunds that webhooks may have missed, and what
 * was paid to the bank; after a restore everything made since the backup.
 */
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import type { ProviderOrder, ProviderPayment, ProviderRefund } from "#app/core/services.ts";
import { addDays, DAY, dateInIndia, HOUR, MINUTE } from "#app/model/dates.ts";
import { furthest } from "#app/model/dispute.ts";
import { nextMonth } from "#app/model/month.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  advanceOrder,
  findOrder,
  findPayment,
  findRefundByProviderId,
  hasProviderPayments,
} from "#db/queries/payments.server.ts";
import { findDispute } from "#db/queries/refunds.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import {
  listUnsettled,
  type Movement,
  saveSettlementLine,
  settlementsSince,
  settlementsSinceSetting,
} from "#db/queries/settlements.server.ts";
import { READ_ORDERS_SINCE_SETTING } from "#db/restore.server.ts";
import { orNull } from "./payment-report.server.ts";
import { queueEvent } from "./provider-events.server.ts";

/** Banks may open a dispute months after a payment, and return a refund weeks after it was made. */
const READ_BACK_MS = 180 * DAY;
/** The last month that was read whole, yyyy-MM. */
const LAST_MONTH = "settlements_last_month";
/** Days from the capture within which money should be at the bank. */
const USUAL_DAYS = 10;
const INTERNATIONAL_DAYS = 15;

export async function runDisputesDaily(deps: Deps): Promise<void> {
  await readDaily(deps, "disputes_next_read", runDisputes);
}

export async function runRefundsMadeDaily(deps: Deps): Promise<void> {
  await readDaily(deps, "refunds_next_read", runRefundsMade);
}

export async function runSettlementsDaily(deps: Deps): Promise<void> {
  noteSince(deps);
  await readDaily(deps, "settlements_next_read", runSettlements);
}

/**
 * Calls `read` once a day, or again after an hour if it failed. The setting named `setting` keeps
 * when it is due.
 */
async function readDaily(
  deps: Deps,
  setting: string,
  read: (deps: Deps) => Promise<boolean>,
): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const next = readSetting(db, setting);
  // A clock that was set back must not stop it for long.
  if (next !== null && Number(next) > now && Number(next) <= now + DAY) return;
  if (!hasProviderPayments(db)) return;
  writeSetting(db, setting, String(now + HOUR));
  // The first read comes an hour after the first payment.
  if (next === null || !(await read(deps))) return;
  writeSetting(db, setting, String(now + DAY));
}

/**
 * Lists the disputes of the last half year and queues what is new, once, as if a webhook had
 * reported it; false if they cannot be listed now.
 */
export async function runDisputes(deps: Deps): Promise<boolean> {
  const { db, provider } = deps;
  const now = deps.now();
  const asked = provider.listDisputes(now - READ_BACK_MS, now + MINUTE);
  const listed = await orNull(deps, "disputes", asked);
  for (const dispute of listed ?? []) {
    const { disputeId, phase, status, amountPaise, deductedPaise } = dispute;
    const known = findDispute(db, disputeId);
    if (known && furthest(known, dispute) !== dispute) continue;
    const step = [disputeId, phase, status, amountPaise, deductedPaise].join("-");
    queueEvent(db, `listed-${step}`, dispute, now);
  }
  if (listed) deps.wake();
  return listed !== null;
}

/** The same for refunds of known payments; others are of the account's other sales. */
export async function runRefundsMade(deps: Deps): Promise<boolean> {
  const { db, provider } = deps;
  const now = deps.now();
  const asked = provider.listRefundsMade(now - READ_BACK_MS, now + MINUTE);
  const listed = await orNull(deps, "refunds", asked);
  for (const refund of listed ?? []) {
    const { refundId, paymentId, status } = refund;
    if (!findPayment(db, paymentId) || !isNewRefund(db, refund)) continue;
    // One that is pending for so long that a person is asked stays with that person.
    if (status === "pending" && findRefundByProviderId(db, refundId)) continue;
    queueEvent(db, `listed-${refundId}-${status}`, { paymentId }, now);
  }
  if (listed) deps.wake();
  return listed !== null;
}

/**
 * After a restore, lists once what was made at the provider since the backup. What is new is queued
 * as if a webhook had reported it, so each is read separately and retried. Money for an unknown
 * order ends up in the unmatched list. Returns how much is new.
 */
export async function readOrdersSinceRestore(deps: Deps): Promise<number> {
  const since = Number(readSetting(deps.db, READ_ORDERS_SINCE_SETTING) ?? "");
  if (!since) return 0;
  const made = await listMade(deps, since);
  if (!made) return 0;
  const found = inTransaction(deps.db, (tx) => {
    for (const order of made.orders) saveOrderId(tx, order);
    const payments = new Set([
      ...made.payments.filter((one) => isNewPayment(tx, one)).map(({ paymentId }) => paymentId),
      ...made.refunds.filter((one) => isNewRefund(tx, one)).map(({ paymentId }) => paymentId),
    ]);
    const now = deps.now();
    for (const paymentId of payments) {
      queueEvent(tx, `restored-${since}-${paymentId}`, { paymentId }, now);
    }
    for (const dispute of made.disputes) {
      queueEvent(tx, `restored-${since}-${dispute.disputeId}`, dispute, now);
    }
    writeSetting(tx, READ_ORDERS_SINCE_SETTING, "");
    return payments.size + made.disputes.length;
  });
  deps.log.info({ news: found }, "what was made since the restore is listed");
  deps.wake();
  return found;
}

/** Null while the provider cannot list everything. */
async function listMade({ provider, now, log }: Deps, since: number) {
  const until = now() + MINUTE;
  const listed = async () => ({
    orders: await provider.listOrders(since, until),
    payments: await provider.listPaymentsMade(since, until),
    refunds: await provider.listRefundsMade(since, until),
    disputes: await provider.listDisputes(since, until),
  });
  return orNull({ log }, "what was made since the restore", listed());
}

/** Gives an order of the backup its id, found by receipt, before its payments are read. */
function saveOrderId(tx: Db, { orderId, receipt }: ProviderOrder): void {
  if (receipt !== null && !findOrder(tx, orderId)) advanceOrder(tx, receipt, { found: orderId });
}

function isNewPayment(tx: Db, { paymentId, status, refundedPaise }: ProviderPayment): boolean {
  if (status === "created" || status === "failed") return false;
  const known = findPayment(tx, paymentId);
  return known?.providerStatus !== status || known.refundedPaise !== refundedPaise;
}

function isNewRefund(tx: Db, { refundId, status }: ProviderRefund): boolean {
  return findRefundByProviderId(tx, refundId)?.state !== status;
}

/**
 * Reads the months since the last one that was read, and always this and the previous one, because
 * a transfer may get its number late; false if they cannot be read now.
 */
export async function runSettlements(deps: Deps): Promise<boolean> {
  const { db, provider } = deps;
  noteSince(deps);
  const thisMonth = dateInIndia(deps.now()).slice(0, 7);
  const lastMonth = addDays(`${thisMonth}-01`, -1).slice(0, 7);
  const read = readSetting(db, LAST_MONTH) ?? lastMonth;
  const first = read < lastMonth ? read : lastMonth;
  for (let month = first; month <= thisMonth; month = nextMonth(month)) {
    const lines = await orNull(deps, `settlements of ${month}`, provider.listSettled(month));
    if (lines === null) return false;
    inTransaction(db, (tx) => {
      for (const line of lines) saveSettlementLine(tx, line);
      writeSetting(tx, LAST_MONTH, month);
    });
  }
  return true;
}

/** From the first start with such a key on, before the first payment, payments are looked for. */
function noteSince(deps: Deps): void {
  const since = settlementsSinceSetting(isLive(deps));
  if (readSetting(deps.db, since) !== null) return;
  // The provider's times are whole seconds.
  writeSetting(deps.db, since, String(Math.floor(deps.now() / 1000) * 1000));
}

function isLive({ env }: Pick<Deps, "env">): boolean {
  return env.razorpay.keyId.startsWith("rzp_live_");
}

/**
 * Payments made with a live key that should be at the bank by now, but are in no settlement; none
 * that went back whole, which may never have been captured.
 */
export function listOverdueAtBank(deps: ReadDeps): Movement[] {
  const { db } = deps;
  const since = settlementsSince(db, true);
  if (since === null || !isLive(deps)) return [];
  const at = deps.now();
  const unsettled = listUnsettled(db, {
    from: since,
    to: at - USUAL_DAYS * DAY,
    foreignTo: at - INTERNATIONAL_DAYS * DAY,
    settledBefore: Number.MAX_SAFE_INTEGER,
  });
  return unsettled.filter(
    ({ kind, id, amountPaise }) =>
      kind === "payment" && findPayment(db, id)!.refundedPaise < amountPaise,
  );
}
