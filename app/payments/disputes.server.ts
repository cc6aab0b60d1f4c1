import type { Deps } from "#app/core/deps.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findPayment, updatePayment } from "#db/queries/payments.server.ts";

export interface Dispute {
  disputeId: string;
  paymentId: string;
  /** Paise. */
  amountPaise: number;
  /** The provider's word: created, under_review, action_required, won, lost, closed. */
  phase: string;
}

/** Records how a dispute stands and tells the admin of every step. */
export function applyDispute(
  tx: Db,
  { env }: Pick<Deps, "env">,
  dispute: Dispute,
  now: number,
): void {
  const payment = findPayment(tx, dispute.paymentId);
  updatePayment(tx, dispute.paymentId, { disputeState: dispute.phase, updatedAt: now });
  queueMessages(tx, env, now, {
    type: "dispute",
    ...dispute,
    appointmentId: payment?.appointmentId ?? null,
  });
}
