/** The ledger of issued invoices and credit notes. Rows are added, never changed. */
import { type Compilable, type Selectable, sql } from "kysely";
import { type Db, literal, sqlite } from "#db/connection.server.ts";
import { type ObjectOf, rowOf } from "#db/objects.ts";
import type { DocumentTable, LedgerDocument, PrintableDocument } from "#db/tables.ts";

type Row = Selectable<DocumentTable> & { invoice_date?: string | null };

const documents = sqlite.selectFrom("document").selectAll();
const INVOICE = literal("invoice");
const CREDIT_NOTE = literal("credit_note");

/** With the date of the invoice that a credit note corrects. */
const printable = sqlite
  .selectFrom("document as d")
  .leftJoin("document as i", "i.number", "d.invoice_number")
  .selectAll("d")
  .select("i.on_date as invoice_date");

function find(db: Db, query: Compilable<Row>): PrintableDocument | null {
  const row = db.object(query);
  return row && documentOf(row);
}

function documentOf(row: ObjectOf<Row>): PrintableDocument {
  const { cgstPaise: cgst, sgstPaise: sgst, igstPaise: igst, sample, ...rest } = row;
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

export function insertDocument(tx: Db, document: LedgerDocument): void {
  const { tax, sample, ...rest } = document;
  const taxPaise = { cgstPaise: tax.cgst, sgstPaise: tax.sgst, igstPaise: tax.igst };
  const row = rowOf<Row>({ ...rest, ...taxPaise, sample: Number(sample) });
  tx.run(sqlite.insertInto("document").values(row));
}

export function findInvoiceOfPayment(db: Db, paymentId: string): LedgerDocument | null {
  return find(db, documents.where("payment_id", "=", paymentId).where("kind", "=", INVOICE));
}

export function findInvoiceOf(db: Db, appointmentId: string): LedgerDocument | null {
  const invoices = documents
    .where("appointment_id", "=", appointmentId)
    .where("kind", "=", INVOICE);
  return find(db, invoices.orderBy("serial").limit(1));
}

/** The newest of an appointment. */
export function findCreditNoteOf(db: Db, appointmentId: string): PrintableDocument | null {
  return find(
    db,
    printable
      .where("d.appointment_id", "=", appointmentId)
      .where("d.kind", "=", CREDIT_NOTE)
      .orderBy("d.issued_at", "desc")
      .orderBy("d.serial", "desc")
      .limit(1),
  );
}

export function hasCreditNote(db: Db, appointmentId: string): boolean {
  const ofAppointment = documents.where("appointment_id", "=", appointmentId);
  return db.has(ofAppointment.where("kind", "=", CREDIT_NOTE).limit(1));
}

export function findCreditNoteOfRefund(db: Db, refundId: string): LedgerDocument | null {
  return find(db, documents.where("refund_id", "=", refundId));
}

export function findDocument(db: Db, number: string): PrintableDocument | null {
  return find(db, printable.where("d.number", "=", number));
}

/** Documents dated in the range, both ends inclusive, in the order of their numbers. */
export function listDocuments(db: Db, from: string, to: string): PrintableDocument[] {
  const dated = printable.where("d.on_date", ">=", from).where("d.on_date", "<=", to);
  const byKind = dated.orderBy("d.kind", "desc").orderBy("d.series");
  return db.objects(byKind.orderBy("d.financial_year").orderBy("d.serial")).map(documentOf);
}

/** The date of the oldest document, or null while there is none. */
export function firstDocumentDate(db: Db): string | null {
  const dated = sqlite.selectFrom("document").where(sql<boolean>`on_date IS date(on_date)`);
  return db.first(dated.select((eb) => eb.fn.min("on_date").as("first")))!.first;
}

export function readSetting(db: Db, key: string): string | null {
  const settings = sqlite.selectFrom("setting").select("value");
  return db.first(settings.where("key", "=", key))?.value ?? null;
}

export function writeSetting(tx: Db, key: string, value: string): void {
  tx.run(sqlite.replaceInto("setting").values({ key, value }));
}
