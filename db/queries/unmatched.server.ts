/** Money without a booking, and refunds that wait for a person: what the admin must look at. */
import type { Db } from "#db/connection.server.ts";
import type { PaymentRow, RefundRow } from "./payments.server.ts";

/** Captured payments of orders that no appointment knows, oldest first. */
export function listUnmatchedPayments(db: Db): PaymentRow[] {
  return db.allRaw<PaymentRow>(
    `SELECT * FROM payment WHERE outcome = 'unmatched' ORDER BY created_at, payment_id`,
  );
}

/** Refunds that failed or wait for a person, oldest first. */
export function listRefundsForPerson(db: Db, limit: number): RefundRow[] {
  return db.allRaw<RefundRow>(
    `SELECT * FROM refund WHERE state IN ('failed', 'needs_person') ORDER BY created_at LIMIT ?`,
    [limit],
  );
}
