/** What is summed and exported: insights, the rows of the export, the accountant's month. */
import { sql } from "kysely";
import type { Appointment, Contact } from "#app/model/appointment.ts";
import { DAY, INDIA_OFFSET } from "#app/model/dates.ts";
import type { Price, SessionFigures } from "#app/model/money.ts";
import { COUNT, type Db, literal, PAID_WORDS, sqlite } from "#db/connection.server.ts";
import { documentOf, summed } from "./documents.server.ts";

/** Session dates, both inclusive; without a key of all captains. */
export interface SessionRange {
  from: string;
  to: string;
  counselorKey: string | null;
}

export interface SessionGroup extends SessionFigures {
  counselorKey: string;
  minutes: number;
}

const IS_PAID = `status IN (${PAID_WORDS})`;

// By hand: the builder cannot say INDEXED BY. The list's index holds all that is read.
const IN_RANGE = `FROM appointment INDEXED BY appointment_for_list
  WHERE on_date >= @from AND on_date <= @to
    AND (@counselorKey IS NULL OR counselor_key = @counselorKey)`;

const GROUPS = `SELECT counselor_key AS counselorKey, minutes, count(*) AS booked,
    sum(${IS_PAID}) AS paid, sum(status = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE attendance = 'completed') AS completed,
    count(*) FILTER (WHERE attendance = 'no_show') AS noShow,
    sum(kept_paise) AS keptPaise, sum(refunded_paise) AS refundedPaise,
    sum(taken_back_paise) AS takenBackPaise,
    sum(kept_paise > 0) AS kept, sum(refunded_paise > 0) AS refunded,
    sum(taken_back_paise > 0) AS takenBack
  ${IN_RANGE} GROUP BY counselor_key, minutes`;

/** Days since 1970 of the session's date, less those of the day in India of its booking. */
const LEAD_DAYS = `SELECT unixepoch(on_date) / 86400 - (created_at + ${INDIA_OFFSET}) / ${DAY} AS days,
    count(*) AS count
  ${IN_RANGE} AND ${IS_PAID} GROUP BY 1 ORDER BY 1`;

/** One group for each captain and package that has sessions. */
export function sumSessions(db: Db, range: SessionRange): SessionGroup[] {
  return db.allRaw(GROUPS, [range]);
}

/** Paid sessions by the whole days from booking to session, dates in India. */
export function countLeadDays(db: Db, range: SessionRange): { days: number; count: number }[] {
  return db.allRaw(LEAD_DAYS, [range]);
}

/** In the order of the numbers; an appointment deleted meanwhile is left out. */
export function readExportRows(db: Db, seqs: readonly number[]): ExportRow[] {
  // By hand: the list of numbers must lead the join, and the documents are joined by their newest.
  return db.allRaw<ExportRow>(
    `SELECT a.id, a.status, a.on_date AS date, a.time_slot AS timeSlot,
       coalesce((SELECT name FROM counselor WHERE key = a.counselor_key), a.counselor_name)
         AS counselor, a.minutes,
       a.name, a.email, a.phone, a.base_paise AS basePaise, a.gst_paise AS gstPaise,
       a.total_paise AS totalPaise,
       p.payment_id AS paymentId, p.method, p.reference AS paymentReference,
       (SELECT sum(q.amount_paise) FROM payment q
        WHERE q.appointment_id = a.id AND q.captured_at IS NOT NULL) AS paidPaise,
       a.kept_paise AS keptPaise, a.taken_back_paise AS takenBackPaise,
       (SELECT CASE WHEN count(*) = count(q.fee_paise) THEN sum(q.fee_paise) END
        FROM payment q WHERE q.appointment_id = a.id AND q.captured_at IS NOT NULL) AS feePaise,
       (SELECT CASE WHEN count(*) = count(q.fee_tax_paise) THEN sum(q.fee_tax_paise) END
        FROM payment q WHERE q.appointment_id = a.id AND q.captured_at IS NOT NULL) AS feeTaxPaise,
       i.number AS invoiceNumber, i.on_date AS invoiceDate,
       (SELECT group_concat(d.number, ', ' ORDER BY d.issued_at, d.serial) FROM document d
        WHERE d.appointment_id = a.id AND d.kind = 'credit_note') AS creditNoteNumbers,
       (SELECT max(d.on_date) FROM document d
        WHERE d.appointment_id = a.id AND d.kind = 'credit_note') AS creditNoteDate,
       i.state_code AS placeOfSupply,
       i.cgst_paise AS cgstPaise, i.sgst_paise AS sgstPaise, i.igst_paise AS igstPaise,
       i.round_off_paise AS roundOffPaise,
       a.created_at AS createdAt, a.notes, a.attendance, a.source
     FROM json_each(?) wanted
     CROSS JOIN appointment a ON a.seq = wanted.value
     LEFT JOIN payment p ON p.appointment_id = a.id AND p.outcome IN ('applied', 'assigned')
     LEFT JOIN document i ON i.number = (SELECT number FROM document d
       WHERE d.appointment_id = a.id AND d.kind = 'invoice' ORDER BY d.serial LIMIT 1)
     ORDER BY wanted.key`,
    [JSON.stringify(seqs)],
  );
}

/** One appointment. Fields of documents that do not exist are null: blank cells, not zeros. */
export interface ExportRow
  extends Price,
    Contact,
    Pick<
      Appointment,
      "id" | "status" | "date" | "timeSlot" | "counselor" | "minutes" | "createdAt"
    >,
    Pick<Appointment, "paymentId" | "invoiceNumber" | "attendance" | "source"> {
  method: string | null;
  /** What it is found by at the bank, or as staff entered it. */
  paymentReference: string | null;
  /** All that was captured for it; null: nothing was. */
  paidPaise: number | null;
  /** By the customer's bank, after a lost dispute. */
  takenBackPaise: number;
  /** Less that, and less refunds from the moment they are wanted. */
  keptPaise: number;
  /** The provider's, without the GST on it; null unless it is known of every captured payment. */
  feePaise: number | null;
  feeTaxPaise: number | null;
  invoiceDate: string | null;
  /** All of them, oldest first, with commas between. */
  creditNoteNumbers: string | null;
  /** Of the newest. */
  creditNoteDate: string | null;
  placeOfSupply: string | null;
  cgstPaise: number | null;
  sgstPaise: number | null;
  igstPaise: number | null;
  roundOffPaise: number | null;
}

export type GstDocument = ReturnType<typeof listGstDocuments>[number];

/** By date; with the fee of their payment. */
const gstDocuments = summed
  .leftJoin("payment as p", "p.payment_id", "d.payment_id")
  .leftJoin("document as i", "i.number", "d.invoice_number")
  .select(["d.on_date as onDate", "d.invoice_number as invoiceNumber", "d.layout", "d.supplier"])
  .select("i.on_date as invoiceDate")
  .select(["d.customer_name as customerName", "d.sac", "d.payment_id as paymentId"])
  .select((eb) => eb.fn.coalesce("d.paid_method", "p.method").as("method"))
  .select(["p.fee_paise as feePaise", "p.fee_tax_paise as feeTaxPaise"])
  .select(["d.customer_country as customerCountry", "p.international"])
  .select((eb) => eb.fn.coalesce("d.paid_reference", "p.reference").as("paidReference"))
  .select("d.paid_at as paidAt")
  .orderBy("d.on_date")
  .orderBy("d.kind", "desc")
  .orderBy("d.issued_at")
  .orderBy("d.serial");

/** Documents dated in the range, both ends inclusive. */
export function listGstDocuments(db: Db, from: string, to: string) {
  const dated = gstDocuments.where("d.on_date", ">=", from).where("d.on_date", "<=", to);
  return db.all(dated).map(documentOf);
}

/** Tax invoices dated after a day, of money received from `begin` until before `end`. */
export function listAdvances(db: Db, after: string, begin: number, end: number): GstDocument[] {
  const advances = gstDocuments
    .where("d.on_date", ">", after)
    .where("d.kind", "=", literal("invoice"))
    .where("d.sample", "=", 0)
    .where("d.paid_at", ">=", begin)
    .where("d.paid_at", "<", end);
  return db.all(advances).map(documentOf);
}

/** Documents with an impossible date, which are in no month. */
export function countUndatedDocuments(db: Db): number {
  const undated = sql<boolean>`on_date IS NOT date(on_date)`;
  return db.first(sqlite.selectFrom("document").where(undated).select(COUNT))!.count;
}

export interface DocumentSum {
  count: number;
  /** Invoices less credit notes. */
  paise: number;
}

export type LedgerParts = ReturnType<typeof readLedgerParts>;

const SUM = `count(*) AS count,
  coalesce(sum(CASE d.kind WHEN 'invoice' THEN d.total_paise ELSE -d.total_paise END), 0) AS paise`;
const DATED = "d.on_date BETWEEN @from AND @to";
const ITS_APPOINTMENT = "SELECT 1 FROM appointment a WHERE a.id = d.appointment_id";

/** The ledger's part of the reconciliation: documents of sessions outside the range. */
export function readLedgerParts(db: Db, from: string, to: string) {
  const read = (query: string) => db.firstRaw<DocumentSum>(query, [{ from, to }])!;
  return {
    deleted: read(
      `SELECT ${SUM} FROM document d WHERE ${DATED} AND NOT EXISTS (${ITS_APPOINTMENT})`,
    ),
    otherSessions: read(`SELECT ${SUM} FROM document d WHERE ${DATED}
      AND EXISTS (${ITS_APPOINTMENT} AND a.on_date NOT BETWEEN @from AND @to)`),
    // Dated outside the range, of sessions within it.
    otherDates: read(`SELECT ${SUM} FROM appointment a JOIN document d ON d.appointment_id = a.id
      WHERE a.on_date BETWEEN @from AND @to AND NOT ${DATED}`),
  };
}

export type SessionPayment = ReturnType<typeof listSessionPayments>[number];

/**
 * Captured payments of existing appointments whose session is in the range, with their refunds; null
 * where no invoice or credit note was issued.
 */
export function listSessionPayments(db: Db, from: string, to: string) {
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
    const own = refunds.get(paymentId) ?? [];
    return { ...payment, refunds: own.map(({ paymentId: _, ...refund }) => refund) };
  });
}
