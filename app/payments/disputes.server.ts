/** Disputes are listed once a day: of one whose webhook never comes nothing is lost. */
import type { Deps } from "#app/core/deps.server.ts";
import { furthest } from "#app/model/dispute.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { hasProviderPayments } from "#db/queries/payments.server.ts";
import { findDispute } from "#db/queries/refunds.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { queueEvent } from "./provider-events.server.ts";
import { orNull } from "./readable.ts";

/** Banks ask for months after a payment. */
const READ_BACK_MS = 180 * DAY;
const NEXT_READ = "disputes_next_read";

/** Daily, and after an hour where they could not be listed. */
export async function runDisputesDaily(deps: Deps): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const next = readSetting(db, NEXT_READ);
  // A clock that was set back must not stop it for long.
  if (next !== null && Number(next) > now && Number(next) <= now + DAY) return;
  if (!hasProviderPayments(db)) return;
  writeSetting(db, NEXT_READ, String(now + HOUR));
  // The first payment is an hour old at the least.
  if (next === null || !(await runDisputes(deps))) return;
  writeSetting(db, NEXT_READ, String(now + DAY));
}

/**
 * Lists those of the last half year and queues what is news, once, as if a webhook had told it; false
 * if they cannot be listed now.
 */
export async function runDisputes(deps: Deps): Promise<boolean> {
  const { db, provider } = deps;
  const now = deps.now();
  const asked = provider.listDisputes(now - READ_BACK_MS, now + MINUTE);
  const listed = await orNull(deps, "disputes", asked);
  for (const told of listed ?? []) {
    const { disputeId, phase, status, amountPaise, deductedPaise } = told;
    const known = findDispute(db, disputeId);
    if (known && furthest(known, told) !== told) continue;
    const news = [disputeId, phase, status, amountPaise, deductedPaise].join("-");
    queueEvent(db, `listed-${news}`, told, now);
  }
  if (listed) deps.wake();
  return listed !== null;
}
