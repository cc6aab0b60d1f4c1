/** What the provider paid to the bank, read daily from its report. */
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import { nextMonth } from "#app/model/month.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findPayment } from "#db/queries/payments.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import {
  listUnsettled,
  type Movement,
  saveSettlementLine,
  settlementsSince,
  settlementsSinceSetting,
} from "#db/queries/settlements.server.ts";
import { orNull } from "./payment-report.server.ts";
import { readDaily } from "./provider-lists.server.ts";

/** The last month that was read whole, yyyy-MM. */
const LAST_MONTH = "settlements_last_month";
/** Days from the capture within which money should be at the bank. */
const USUAL_DAYS = 10;
const INTERNATIONAL_DAYS = 15;

export async function runSettlementsDaily(deps: Deps): Promise<void> {
  noteSince(deps);
  await readDaily(deps, "settlements_next_read", runSettlements);
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
