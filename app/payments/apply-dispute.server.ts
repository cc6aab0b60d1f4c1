/** What the provider says of a dispute. */
import type { Deps } from "#app/core/deps.server.ts";
import type { ProviderDispute } from "#app/core/services.ts";
import { disputedPaise, furthest, isStep } from "#app/model/dispute.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findPayment } from "#db/queries/payments.server.ts";
import { findDispute, saveDispute, takeUnnamedDispute } from "#db/queries/refunds.server.ts";

/**
 * Records how far it has come, and tells the admin of every step once; news that come late change
 * nothing. Part of `applyReport`; the database works out what the bank took back of the payment.
 */
export function applyDispute(
  tx: Db,
  { env }: Pick<Deps, "env">,
  told: ProviderDispute,
  now: number,
): void {
  const { disputeId, paymentId, createdAt } = told;
  const known = findDispute(tx, disputeId) ?? takeUnnamedDispute(tx, paymentId);
  const { phase, status, amountPaise, deductedPaise, respondBy } = known
    ? furthest(known, told)
    : told;
  const dispute = { phase, status, amountPaise, deductedPaise, respondBy };
  saveDispute(tx, { ...dispute, disputeId, paymentId, createdAt, updatedAt: now });
  if (known && !isStep(known, dispute)) return;
  queueMessages(tx, env, now, {
    ...{ type: "dispute", disputeId, paymentId, phase, status, respondBy },
    amountPaise: disputedPaise(dispute),
    appointmentId: findPayment(tx, paymentId)?.appointmentId ?? null,
  });
}
