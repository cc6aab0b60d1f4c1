/** Money received outside the payment provider. */
import { newId } from "./ids.ts";

export const OFFLINE_METHODS = ["cash", "upi", "bank_transfer", "card"] as const;

const PREFIX = "offline_";

/** No provider's id begins so. */
export function newOfflinePaymentId(): string {
  return `${PREFIX}${newId()}`;
}

export function isOfflinePayment(paymentId: string): boolean {
  return paymentId.startsWith(PREFIX);
}
