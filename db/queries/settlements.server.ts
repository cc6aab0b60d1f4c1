/** The provider's settlements, line by line, and what of its money none of them names. */
import { type Db, sqlite } from "#db/connection.server.ts";
import type { SettlementLineTable } from "#db/money-tables.ts";
import { type FieldsOf, rowOf } from "#db/row-fields.ts";
import { readSetting } from "./settings.server.ts";

/** Payments captured before are not looked for: their settlements may never have been read. */
export const settlementsSinceSetting = (isLive: boolean) =>
  isLive ? "settlements_since" : "settlements_since_test";

/** Under a live key or a test key; null before the first start with it. */
export function settlementsSince(db: Db, isLive: boolean): number | null {
  const since = readSetting(db, settlementsSinceSetting(isLive));
  return since === null ? null : Number(since);
}

/**
 * Reports overlap: a line is read again until its transfer has its number. A fee that the
 * payment did not report becomes the payment's own.
 */
export function saveSettlementLine(tx: Db, line: FieldsOf<SettlementLineTable>): void {
  tx.run(sqlite.replaceInto("settlement_line").values(rowOf<SettlementLineTable>(line)));
  if (line.kind !== "payment" || line.feePaise + line.feeTaxPaise === 0) return;
  const fee = { fee_paise: line.feePaise, fee_tax_paise: line.feeTaxPaise };
  const unknown = sqlite.updateTable("payment").where("payment_id", "=", line.entityId);
  tx.run(unknown.where("fee_paise", "is", null).set(fee));
}

export interface Settlement {
  settlementId: string;
  utr: string | null;
  settledAt: number;
  /** What came in for payments and was kept back for refunds, before fees; and all else, in paise. */
  paymentsPaise: number;
  refundsPaise: number;
  adjustmentsPaise: number;
  feePaise: number;
  feeTaxPaise: number;
  /** Of these fees, what is of refunds and adjustments. */
  otherFeePaise: number;
  otherFeeTaxPaise: number;
  bankPaise: number;
}

/** What a sample stands for is in no books. */
const IS_REAL = `NOT EXISTS (SELECT 1 FROM document d
  WHERE d.payment_id = p.payment_id AND d.kind = 'invoice' AND d.sample = 1)`;

// By hand: sums over conditions. What was not paid in rupees is no payment of these books.
const SETTLEMENTS = `WITH line AS (SELECT l.*, iif(p.currency <> 'INR', 'foreign', l.kind) AS what
    FROM settlement_line l LEFT JOIN payment p ON p.payment_id = l.payment_id)
  SELECT settlement_id AS settlementId, max(utr) AS utr, max(settled_at) AS settledAt,
    sum(iif(what = 'payment', credit_paise - debit_paise + fee_paise + fee_tax_paise, 0)) AS paymentsPaise,
    sum(iif(what = 'refund', debit_paise - credit_paise - fee_paise - fee_tax_paise, 0)) AS refundsPaise,
    sum(iif(what IN ('payment', 'refund'), 0, credit_paise - debit_paise + fee_paise + fee_tax_paise))
      AS adjustmentsPaise,
    sum(fee_paise) AS feePaise, sum(fee_tax_paise) AS feeTaxPaise,
    sum(iif(what = 'payment', 0, fee_paise)) AS otherFeePaise,
    sum(iif(what = 'payment', 0, fee_tax_paise)) AS otherFeeTaxPaise,
    sum(credit_paise - debit_paise) AS bankPaise
  FROM line p WHERE @withSamples OR ${IS_REAL} GROUP BY settlement_id
  HAVING max(settled_at) >= @from AND max(settled_at) < @to ORDER BY max(settled_at), settlement_id`;

/** Settled from `from` until before `to`; with money of samples, or without. */
export function listSettlements(
  db: Db,
  from: number,
  to: number,
  withSamples: boolean,
): Settlement[] {
  return db.allRaw(SETTLEMENTS, [{ from, to, withSamples: Number(withSamples) }]);
}

/** Money that came or went back. */
export interface Movement {
  kind: "payment" | "refund" | "reversal";
  /** The provider's, or ours of money outside. */
  id: string;
  paymentId: string;
  amountPaise: number;
  /** Of a payment through the provider, where they are known; else 0. */
  feePaise: number;
  feeTaxPaise: number;
  reference: string | null;
  /** When it was paid; when the refund was accepted by the provider, paid back by hand, or failed. */
  at: number;
  /** 1: not through the provider. */
  isOutside: number;
}

// By hand: a union.
const MOVEMENTS = `SELECT m.kind, m.id, m.paymentId, m.amountPaise, m.feePaise, m.feeTaxPaise,
    coalesce(m.reference, (SELECT d.paid_reference FROM document d
      WHERE d.payment_id = m.id AND d.kind = 'invoice')) AS reference, m.at, m.isOutside FROM (
  WITH failing (kind) AS (VALUES ('refund'), ('reversal'))
  SELECT 'payment' AS kind, p.payment_id AS id, p.payment_id AS paymentId, p.amount_paise AS amountPaise,
    coalesce(p.fee_paise, 0) AS feePaise, coalesce(p.fee_tax_paise, 0) AS feeTaxPaise, p.reference,
    coalesce(p.paid_at, p.captured_at) AS at, p.received_on IS NOT NULL AS isOutside,
    coalesce(p.international, 0) AS isForeign, NULL AS failedAt
  FROM payment p WHERE p.captured_at IS NOT NULL AND p.currency = 'INR' AND (@withSamples OR ${IS_REAL})
  UNION ALL
  SELECT 'refund', coalesce(r.provider_refund_id, r.id), r.payment_id, r.amount_paise, 0, 0, r.reference,
    coalesce(r.settled_at, r.accepted_at, r.created_at),
    r.way = 'by_hand', 0, NULL
  FROM refund r JOIN payment p ON p.payment_id = r.payment_id
  WHERE r.counts AND (r.state IN ('pending', 'processed') OR r.state = 'needs_person' AND r.provider_refund_id IS NOT NULL)
    AND p.captured_at IS NOT NULL AND p.currency = 'INR' AND (@withSamples OR ${IS_REAL})
  UNION ALL
  SELECT failing.kind, f.provider_refund_id, f.payment_id, f.amount_paise, 0, 0, NULL,
    iif(failing.kind = 'refund', f.accepted_at, f.failed_at), 0, 0, f.failed_at
  FROM failing JOIN failed_refund f JOIN payment p ON p.payment_id = f.payment_id
  WHERE p.captured_at IS NOT NULL AND p.currency = 'INR' AND (@withSamples OR ${IS_REAL})
) m WHERE m.at >= @from AND m.at < @to`;
const IN_ORDER = "ORDER BY m.at, m.id";

/** From `from` until before `to`; without money of samples. */
export function listMovements(db: Db, from: number, to: number): Movement[] {
  return db.allRaw(`${MOVEMENTS} ${IN_ORDER}`, [{ from, to, withSamples: 0 }]);
}

const settled = (kind: string) => `EXISTS (SELECT 1 FROM settlement_line l
    WHERE l.entity_id = m.id AND l.kind = ${kind} AND l.settled_at < @settledBefore)`;
// A refund that failed before it was settled needs no settlement any more, and its reversal none.
const UNSETTLED = `${MOVEMENTS} AND NOT m.isOutside AND (NOT m.isForeign OR m.at < @foreignTo)
  AND iif(m.kind = 'reversal', ${settled("'refund'")},
    NOT ${settled("m.kind")} AND coalesce(m.failedAt, @settledBefore) >= @settledBefore) ${IN_ORDER}`;

/**
 * The provider's money from `from` until before `to`, of foreign cards before `foreignTo`, that no
 * settlement before `settledBefore` names; with money of samples.
 */
export function listUnsettled(
  db: Db,
  range: { from: number; to: number; foreignTo: number; settledBefore: number },
): Movement[] {
  return db.allRaw(UNSETTLED, [{ ...range, withSamples: 1 }]);
}
