/** Disputes are listed once a day: of one whose webhook never comes nothing is lost. */
import { BACKOFF } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type ProviderDispute, ProviderError } from "#app/core/payment-provider.ts";
import { type Queue, runQueue } from "#app/core/queue.server.ts";
import { furthest } from "#app/model/dispute.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { findDispute } from "#db/queries/disputes.server.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
import { hasProviderPayments } from "#db/queries/payments.server.ts";
import { applyReports, readPayment } from "./payment-report.server.ts";

/** Banks ask for months after a payment. */
const READ_BACK_MS = 180 * DAY;
const NEXT_READ = "disputes_next_read";

/** Daily, and after an hour where not all could be read. */
export async function runDisputesDaily(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const next = readSetting(db, NEXT_READ);
  // A clock that was set back must not stop it for long.
  if (next !== null && Number(next) > now && Number(next) <= now + DAY) return;
  if (!hasProviderPayments(db)) return;
  writeSetting(db, NEXT_READ, String(now + HOUR));
  // The first payment is an hour old at the least.
  if (next === null || !(await runDisputes(deps, signal))) return;
  writeSetting(db, NEXT_READ, String(now + DAY));
}

/** Reads those of the last half year, with the payments of those that brought news; false if not all. */
export async function runDisputes(deps: Deps, signal?: AbortSignal): Promise<boolean> {
  const news = await listNews(deps);
  let isWhole = news !== null;
  const queue: Queue<ProviderDispute> = {
    name: "disputes",
    keyOf: ({ disputeId }) => disputeId,
    attemptsOf: () => 0,
    backoff: BACKOFF.providerEvent,
    leaseMs: 0,
    take: ({ limit }) => news?.splice(0, limit) ?? [],
    work: async (dispute) =>
      applyReports(deps, [await readPayment(deps, dispute.paymentId, [dispute])]),
    putOff: () => {
      isWhole = false;
    },
  };
  await runQueue(deps, queue, signal);
  return isWhole && news?.length === 0;
}

/** Null if they cannot be listed now. */
async function listNews({ db, now, log, provider }: Deps): Promise<ProviderDispute[] | null> {
  const at = now();
  try {
    const disputes = await provider.listDisputes(at - READ_BACK_MS, at + MINUTE);
    return disputes.filter((told) => {
      const known = findDispute(db, told.disputeId);
      return known === null || furthest(known, told) === told;
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ fault: error.fault }, "disputes not read yet");
    return null;
  }
}
