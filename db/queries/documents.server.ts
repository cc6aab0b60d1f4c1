/** The ledger of issued invoices and credit notes. Rows are added, never changed. */
import type { Insertable } from "kysely";
import { type Db, sqlite } from "#db/connection.server.ts";
import type { DocumentTable, LedgerDocument, PrintableDocument } from "#db/tables.ts";

/** Takes the next number of a series in a financial year; only inside the issuing transaction. */
export function takeSerial(tx: Db, series: string, financialYear: string): number {
  return tx.firstRaw<{ last_serial: number }>(
    `INSERT INTO document_series (series, financial_year, last_serial) VALUES (?, ?, 1)
     ON CONFLICT (series, financial_year) DO UPDATE SET last_serial = last_serial + 1
     RETURNING last_serial`,
    [series, financialYear],
  )!.last_serial;
}

export function insertDocument(tx: Db, row: Insertable<DocumentTable>): void {
  tx.run(sqlite.insertInto("document").values(row));
}

export function findInvoiceOfPayment(db: Db, paymentId: string): LedgerDocument | null {
  return (
    db.firstRaw<LedgerDocument>(
      `SELECT * FROM document WHERE payment_id = ? AND kind = 'invoice'`,
      [paymentId],
    ) ?? null
  );
}

export function findInvoiceOf(db: Db, appointmentId: string): LedgerDocument | null {
  return (
    db.firstRaw<LedgerDocument>(
      `SELECT * FROM document WHERE appointment_id = ? AND kind = 'invoice' ORDER BY serial LIMIT 1`,
      [appointmentId],
    ) ?? null
  );
}

/** The newest credit note of an appointment, with the date of the invoice it corrects. */
export function findCreditNoteOf(db: Db, appointmentId: string): PrintableDocument | null {
  return (
    db.firstRaw<PrintableDocument>(
      `SELECT c.*, i.on_date AS invoice_date FROM document c
       JOIN document i ON i.number = c.invoice_number
       WHERE c.appointment_id = ? AND c.kind = 'credit_note' ORDER BY c.issued_at DESC, c.serial DESC LIMIT 1`,
      [appointmentId],
    ) ?? null
  );
}

export function findCreditNoteOfRefund(db: Db, refundId: string): LedgerDocument | null {
  return (
    db.firstRaw<LedgerDocument>(`SELECT * FROM document WHERE refund_id = ?`, [refundId]) ?? null
  );
}

export function findDocument(db: Db, number: string): PrintableDocument | null {
  return (
    db.firstRaw<PrintableDocument>(
      `SELECT d.*, i.on_date AS invoice_date FROM document d
       LEFT JOIN document i ON i.number = d.invoice_number WHERE d.number = ?`,
      [number],
    ) ?? null
  );
}

/** Documents dated in the range, both ends inclusive, in the order of their numbers. */
export function listDocuments(db: Db, from: string, to: string): PrintableDocument[] {
  return db.allRaw<PrintableDocument>(
    `SELECT d.*, i.on_date AS invoice_date FROM document d
     LEFT JOIN document i ON i.number = d.invoice_number
     WHERE d.on_date BETWEEN ? AND ? ORDER BY d.kind DESC, d.series, d.financial_year, d.serial`,
    [from, to],
  );
}

export function readSetting(db: Db, key: string): string | null {
  return (
    db.firstRaw<{ value: string }>(`SELECT value FROM setting WHERE key = ?`, [key])?.value ?? null
  );
}

export function writeSetting(tx: Db, key: string, value: string): void {
  tx.runRaw(
    `INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [key, value],
  );
}
