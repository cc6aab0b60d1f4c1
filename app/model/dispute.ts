/** Disputes: a customer's bank asks for a payment back. */

export const DISPUTE_PHASES = [
  "fraud",
  "retrieval",
  "chargeback",
  "pre_arbitration",
  "arbitration",
] as const;

export const DISPUTE_STATUSES = ["open", "under_review", "closed", "won", "lost"] as const;

export type DisputePhase = (typeof DISPUTE_PHASES)[number];
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** An unknown phase or status is the provider's, newer than this program. */
export interface Dispute {
  phase: string;
  status: string;
  amountPaise: number;
  /** What the provider took from us for it; 0 until it is lost, or if it does not say. */
  deductedPaise: number;
  /** Until when to answer; null if there is nothing to answer. */
  respondBy: number | null;
}

/**
 * The further of two states of a dispute, in whatever order they came: phases only go forward,
 * within a phase the status does, and a later phase reopens what was won.
 */
export function furthest(one: Dispute, other: Dispute): Dispute {
  const [ranks, others] = [ranksOf(one), ranksOf(other)];
  const i = ranks.findIndex((rank, at) => rank !== others[at]);
  return i === -1 || ranks[i]! > others[i]! ? one : other;
}

/** Compared in order; unknown words rank below known ones, and among themselves alphabetically. */
function ranksOf({ phase, status, ...sums }: Dispute): (number | string)[] {
  return [
    (DISPUTE_PHASES as readonly string[]).indexOf(phase),
    phase,
    (DISPUTE_STATUSES as readonly string[]).indexOf(status),
    status,
    sums.deductedPaise,
    sums.respondBy ?? 0,
    sums.amountPaise,
  ];
}

/** True if the next state is a step of which a person is notified. */
export function isStep(before: Pick<Dispute, "phase" | "status">, next: typeof before): boolean {
  // Disputes from before phases were stored have an empty phase.
  const isSamePhase = before.phase === "" || before.phase === next.phase;
  return before.status !== next.status || !isSamePhase;
}

const ENDED: readonly string[] = ["won", "lost", "closed"];

/** What a lost dispute takes; the database sums it up (`payment.taken_back_paise`). */
export function disputedPaise({ deductedPaise, amountPaise }: Dispute): number {
  return deductedPaise || amountPaise;
}

/** True while the bank may still take the money back. */
export function isUndecided({ status }: Pick<Dispute, "status">): boolean {
  return !ENDED.includes(status);
}
