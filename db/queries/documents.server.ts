/** The ledger of issued invoices and credit notes. Rows are added, never changed. */
import { type Compilable, type InferResult, sql } from "kysely";
import type { Tax } from "#app/model/money.ts";
import { insertInto } from "#db/by-column.ts";
import { type Db, literal, sqlite } from "#db/connection.server.ts";
import type { DocumentTable, LedgerDocument, PrintableDocument } from "#db/ledger-document.ts";

const INVOICE = literal("invoice");
const CREDIT_NOTE = literal("credit_note");

/**
 * What is summed. The query names the fields itself, because an export reads thousands of rows, and
 * renaming them one by one would slow it down.
 */
export const summed = sqlite
  .selectFrom("document as d")
  .select(["d.number", "d.kind", "d.series", "d.financial_year as financialYear", "d.serial"])
  .select(["d.customer_gstin as customerGstin", "d.state_code as stateCode", "d.sample"])
  .select(["d.taxable_paise as taxablePaise", "d.total_paise as totalPaise"])
  .select(["d.cgst_paise as cgst", "d.sgst_paise as sgst", "d.igst_paise as igst"])
  .select(["d.gst_percent as gstPercent", "d.round_off_paise as roundOffPaise"]);

/** With the date of the invoice that a credit note corrects. */
const documents = summed
  .leftJoin("document as i", "i.number", "d.invoice_number")
  .select(["d.on_date as onDate", "d.issued_at as issuedAt", "d.invoice_number as invoiceNumber"])
  .select(["d.appointment_id as appointmentId", "d.payment_id as paymentId", "d.layout"])
  .select(["d.refund_id as refundId", "d.customer_name as customerName", "d.supplier"])
  .select(["d.customer_address as customerAddress", "d.description", "d.minutes", "d.sac"])
  .select(["d.customer_state_code as customerStateCode", "d.customer_country as customerCountry"])
  .select(["d.paid_method as paidMethod", "d.paid_at as paidAt"])
  .select(["d.paid_reference as paidReference", "i.on_date as invoiceDate"]);

type Row = InferResult<typeof documents>[number];

function find(db: Db, query: Compilable<Row>): PrintableDocument | null {
  const row = db.first(query);
  return row && documentOf(row);
}

/** The parts of the tax as one, and whether it is a sample as a boolean. */
export function documentOf<Part extends Tax & { sample: number }>(row: Part) {
  const { cgst, sgst, igst, sample, ...rest } = row;
  return { ...rest, tax: { cgst, sgst, igst }, sample: sample === 1 };
}

/** Takes the next number of a series in a financial year; only inside the issuing transaction. */
export function takeSerial(tx: Db, series: string, financialYear: string): number {
  return tx.first(
    sqlite
      .insertInto("document_series")
      .values({ series, financial_year: financialYear, last_serial: 1 })
      .onConflict((conflict) => conflict.doUpdateSet({ last_serial: sql`last_serial + 1` }))
      .returning("last_serial"),
  )!.last_serial;
}

const insert = insertInto("document");

export function insertDocument(tx: Db, document: PrintableDocument): void {
  const { tax, sample, invoiceDate: _, ...rest } = document;
  const taxPaise = { cgstPaise: tax.cgst, sgstPaise: tax.sgst, igstPaise: tax.igst };
  insert(tx, { ...rest, ...taxPaise, sample: Number(sample) });
}

export function findInvoiceOfPayment(db: Db, paymentId: string): LedgerDocument | null {
  return find(db, documents.where("d.payment_id", "=", paymentId).where("d.kind", "=", INVOICE));
}

export function findInvoiceOf(db: Db, appointmentId: string): PrintableDocument | null {
  return listDocumentsOf(db, appointmentId).find(({ kind }) => kind === "invoice") ?? null;
}

/** Invoice first, then its credit notes as they were issued. */
export function listDocumentsOf(db: Db, appointmentId: string): PrintableDocument[] {
  const ofAppointment = documents.where("d.appointment_id", "=", appointmentId);
  const byAge = ofAppointment.orderBy("d.kind", "desc").orderBy("d.issued_at").orderBy("d.serial");
  return db.all(byAge).map(documentOf);
}

/** The last one issued. */
export function findCreditNoteOf(db: Db, appointmentId: string): PrintableDocument | null {
  return listDocumentsOf(db, appointmentId).findLast(({ kind }) => kind === "credit_note") ?? null;
}

/** Oldest first. */
export function listCreditNotesOf(db: Db, appointmentId: string) {
  const notes = sqlite
    .selectFrom("document")
    .where("appointment_id", "=", appointmentId)
    .where("kind", "=", CREDIT_NOTE)
    .select((eb) => eb.ref("refund_id").$notNull().as("refundId"))
    .select(["number", "on_date as date", "total_paise as totalPaise"]);
  return db.all(notes.orderBy("issued_at").orderBy("serial"));
}

export function findCreditNoteOfRefund(db: Db, refundId: string): PrintableDocument | null {
  return find(db, documents.where("d.refund_id", "=", refundId));
}

/** The sums of an invoice's credit notes, in paise. */
export function sumCredited(db: Db, { appointmentId, number }: LedgerDocument) {
  const notes = sqlite.selectFrom("document").where("appointment_id", "=", appointmentId);
  const { cgst, sgst, igst, ...sums } = db.first(
    notes.where("invoice_number", "=", number).select((eb) => {
      const sum = (column: `${string}_paise` & keyof DocumentTable) =>
        eb.fn.coalesce(eb.fn.sum<number>(column), eb.lit(0));
      return [
        sum("taxable_paise").as("taxablePaise"),
        sum("total_paise").as("totalPaise"),
        sum("cgst_paise").as("cgst"),
        sum("sgst_paise").as("sgst"),
        sum("igst_paise").as("igst"),
        sum("round_off_paise").as("roundOffPaise"),
      ];
    }),
  )!;
  return { ...sums, tax: { cgst, sgst, igst } };
}

export function findDocument(db: Db, number: string): PrintableDocument | null {
  return find(db, documents.where("d.number", "=", number));
}

/** Documents dated in the range, both ends inclusive, in the order of their numbers. */
export function listDocuments(db: Db, from: string, to: string): PrintableDocument[] {
  const dated = documents.where("d.on_date", ">=", from).where("d.on_date", "<=", to);
  const byKind = dated.orderBy("d.kind", "desc").orderBy("d.series");
  return db.all(byKind.orderBy("d.financial_year").orderBy("d.serial")).map(documentOf);
}

/** Counts and sums of documents dated in the range, both ends inclusive. */
export function listSums(db: Db, from: string, to: string) {
  const dated = summed.where("d.on_date", ">=", from).where("d.on_date", "<=", to);
  return db.all(dated).map(documentOf);
}

/**
 * Documents of other dates, or of none that can be read, whose numbers lie among those of the
 * range's documents, both ends inclusive.
 */
export function listNumberedAmong(db: Db, from: string, to: string) {
  // By hand: the spans lead the join.
  const among = db.allRaw<
    Pick<LedgerDocument, "kind" | "series" | "financialYear" | "serial" | "number"> & {
      sample: number;
    }
  >(
    `SELECT d.kind, d.series, d.financial_year AS financialYear, d.serial, d.number, d.sample
     FROM (SELECT kind, series, financial_year, min(serial) AS first, max(serial) AS last
       FROM document WHERE on_date BETWEEN @from AND @to GROUP BY kind, series, financial_year) s
     JOIN document d USING (kind, series, financial_year)
     WHERE d.serial > s.first AND d.serial < s.last AND d.on_date NOT BETWEEN @from AND @to`,
    [{ from, to }],
  );
  return among.map(({ sample, ...rest }) => ({ ...rest, sample: sample === 1 }));
}

/** The earliest date of a document (in India) and of a payment of one (milliseconds); null without any. */
export function firstOfDocuments(db: Db) {
  const dated = sqlite.selectFrom("document").where(sql<boolean>`on_date IS date(on_date)`);
  return db.first(
    dated.select((eb) => [eb.fn.min("on_date").as("onDate"), eb.fn.min("paid_at").as("paidAt")]),
  )!;
}
