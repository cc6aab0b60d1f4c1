/** A month of the ledger for the accountant, and what lies between it and the list's revenue. */
import { sql } from "kysely";
import type { Refund } from "#app/model/refund.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";

export type GstDocument = ReturnType<typeof listGstDocuments>[number];

/** Documents dated in the range, both ends inclusive, by date; with the fee of their payment. */
export function listGstDocuments(db: Db, from: string, to: string) {
  const dated = sqlite
    .selectFrom("document as d")
    .leftJoin("payment as p", "p.payment_id", "d.payment_id")
    .where("d.on_date", ">=", from)
    .where("d.on_date", "<=", to)
    .select(["d.number", "d.kind", "d.series", "d.financial_year as financialYear", "d.serial"])
    .select(["d.on_date as onDate", "d.invoice_number as invoiceNumber", "d.sample"])
    .select(["d.layout", "d.supplier"])
    .select(["d.customer_name as customerName", "d.customer_gstin as customerGstin"])
    .select(["d.state_code as stateCode", "d.sac", "d.payment_id as paymentId"])
    .select((eb) => eb.fn.coalesce("d.paid_method", "p.method").as("method"))
    .select(["d.taxable_paise as taxablePaise", "d.total_paise as totalPaise"])
    .select(["d.cgst_paise as cgst", "d.sgst_paise as sgst", "d.igst_paise as igst"])
    .select(["d.gst_percent as gstPercent", "d.round_off_paise as roundOffPaise"])
    .select(["p.fee_paise as feePaise", "p.fee_tax_paise as feeTaxPaise"])
    .orderBy("d.on_date")
    .orderBy("d.kind", "desc")
    .orderBy("d.issued_at")
    .orderBy("d.serial");
  return db.all(dated).map(({ cgst, sgst, igst, sample, ...rest }) => {
    return { ...rest, tax: { cgst, sgst, igst }, sample: sample === 1 };
  });
}

/** Documents whose date no calendar has: they stand in no month. */
export function countUndatedDocuments(db: Db): number {
  const undated = sql<boolean>`on_date IS NOT date(on_date)`;
  return db.first(sqlite.selectFrom("document").where(undated).select(COUNT))!.count;
}

export interface DocumentSum {
  count: number;
  /** Invoices less credit notes. */
  paise: number;
}

/** The ledger's part of the bridge: what of it belongs to other sessions than those of the range. */
export interface LedgerParts {
  deleted: DocumentSum;
  otherSessions: DocumentSum;
  /** Dated outside the range, of sessions within it. */
  otherDates: DocumentSum;
}

const SUM = `count(*) AS count,
  coalesce(sum(CASE d.kind WHEN 'invoice' THEN d.total_paise ELSE -d.total_paise END), 0) AS paise`;
const DATED = "d.on_date BETWEEN @from AND @to";
const ITS_APPOINTMENT = "SELECT 1 FROM appointment a WHERE a.id = d.appointment_id";

export function readLedgerParts(db: Db, from: string, to: string): LedgerParts {
  const read = (query: string) => db.firstRaw<DocumentSum>(query, [{ from, to }])!;
  return {
    deleted: read(
      `SELECT ${SUM} FROM document d WHERE ${DATED} AND NOT EXISTS (${ITS_APPOINTMENT})`,
    ),
    otherSessions: read(`SELECT ${SUM} FROM document d WHERE ${DATED}
      AND EXISTS (${ITS_APPOINTMENT} AND a.on_date NOT BETWEEN @from AND @to)`),
    otherDates: read(`SELECT ${SUM} FROM appointment a JOIN document d ON d.appointment_id = a.id
      WHERE a.on_date BETWEEN @from AND @to AND NOT ${DATED}`),
  };
}

export interface SessionPayment {
  amountPaise: number;
  takenBackPaise: number;
  /** Null: no invoice was issued for it. */
  invoicePaise: number | null;
  refunds: SessionRefund[];
}

export interface SessionRefund extends Refund {
  /** What its credit note takes off; null without one. */
  creditedPaise: number | null;
}

/** Captured payments of existing appointments whose session is in the range. */
export function listSessionPayments(db: Db, from: string, to: string): SessionPayment[] {
  const captured = sqlite
    .selectFrom("appointment as a")
    .innerJoin("payment as p", "p.appointment_id", "a.id")
    .where("a.on_date", ">=", from)
    .where("a.on_date", "<=", to)
    .where("p.captured_at", "is not", null);
  const refunds = Map.groupBy(
    db.all(
      captured
        .innerJoin("refund as r", "r.payment_id", "p.payment_id")
        .leftJoin("document as d", "d.refund_id", "r.id")
        .select(["r.payment_id as paymentId", "r.amount_paise as amountPaise", "r.state"])
        .select(["r.way", "r.reason", "r.counts"])
        .select("d.total_paise as creditedPaise"),
    ),
    ({ paymentId }) => paymentId,
  );
  const payments = captured
    .leftJoin("document as d", (join) =>
      join.onRef("d.payment_id", "=", "p.payment_id").on("d.kind", "=", "invoice"),
    )
    .select(["p.payment_id as paymentId", "p.amount_paise as amountPaise"])
    .select(["p.taken_back_paise as takenBackPaise", "d.total_paise as invoicePaise"]);
  return db.all(payments).map(({ paymentId, ...payment }) => {
    return { ...payment, refunds: refunds.get(paymentId) ?? [] };
  });
}
