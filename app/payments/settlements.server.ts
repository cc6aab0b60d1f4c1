/** What the provider paid to the bank, read daily from its report. */
import type { Deps } from "#app/core/deps.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import { inTransaction } from "#db/connection.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import {
  listUnsettled,
  saveSettlementLine,
  type Unsettled,
} from "#db/queries/settlements.server.ts";
import { orNull } from "./payment-report.server.ts";
import { readDaily } from "./provider-lists.server.ts";

/** Payments captured before are not looked for: their settlements were never read. */
const SINCE = "settlements_since";
/** Days from the capture within which money should be at the bank. */
const USUAL_DAYS = 10;
const INTERNATIONAL_DAYS = 15;

export async function runSettlementsDaily(deps: Deps): Promise<void> {
  await readDaily(deps, "settlements_next_read", runSettlements);
}

/**
 * Reads this month and the last one, since a transfer may get its number late; false if they cannot
 * be read now.
 */
export async function runSettlements(deps: Deps): Promise<boolean> {
  const { db, provider } = deps;
  if (readSetting(db, SINCE) === null) writeSetting(db, SINCE, String(deps.now()));
  const today = dateInIndia(deps.now());
  const lastMonth = addDays(`${today.slice(0, 7)}-01`, -1);
  for (const date of [lastMonth, today]) {
    const month = date.slice(0, 7);
    const lines = await orNull(deps, `settlements of ${month}`, provider.listSettled(month));
    if (lines === null) return false;
    inTransaction(db, (tx) => {
      for (const line of lines) saveSettlementLine(tx, line);
    });
  }
  return true;
}

/** Money that should be at the bank by now, of a live key, and that no settlement names. */
export function listOverdueAtBank({ db, env, now }: Pick<Deps, "db" | "env" | "now">): Unsettled[] {
  const since = readSetting(db, SINCE);
  if (since === null || !env.razorpay.keyId.startsWith("rzp_live_")) return [];
  const at = now();
  return listUnsettled(db, {
    since: Number(since),
    until: at - USUAL_DAYS * DAY,
    internationalUntil: at - INTERNATIONAL_DAYS * DAY,
    settledBefore: Number.MAX_SAFE_INTEGER,
  });
}
