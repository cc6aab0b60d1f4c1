/** Money that may still come: payments that are being checked. Pure. */
import { MINUTE } from "./dates.ts";
import type { PaymentOutcome } from "./statuses.ts";

/** A payment without a response fails after about ten minutes. */
const BEGUN_MS = 12 * MINUTE;
/** By then an authorised payment is captured or returned, as the order specifies. */
const AUTHORISED_MS = 30 * MINUTE;

/**
 * True if a payment may still succeed. `status` is the provider's, or `unknown` for a signed claim
 * that could not be read yet; `since` is when it got that status.
 */
export function isUnderWay(status: string, since: number, now: number): boolean {
  if (status === "failed" || status === "captured" || status === "refunded") return false;
  return since > now - (status === "created" ? BEGUN_MS : AUTHORISED_MS);
}

interface Reported {
  outcome: PaymentOutcome;
  providerStatus: string;
  amountPaise: number;
  createdAt: number;
  updatedAt: number;
}

/** What a payment that is being checked may still bring its booking, in paise; 0 without one. */
export function underWayPaise(payments: readonly Reported[], now: number): number {
  const one = payments.find(
    ({ outcome, providerStatus, createdAt, updatedAt }) =>
      outcome === "authorized" &&
      isUnderWay(providerStatus, providerStatus === "created" ? createdAt : updatedAt, now),
  );
  return one?.amountPaise ?? 0;
}
