/** Issues invoices and credit notes into the ledger, inside the transaction of their cause. */

import type { Env, Supplier } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, financialYear, formatSession } from "#app/model/dates.ts";
import { GST_STATES, splitTax } from "#app/model/gstin.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findCreditNoteOfRefund,
  findInvoiceOfPayment,
  insertDocument,
  readSetting,
  takeSerial,
} from "#db/queries/documents.server.ts";
import { SERIES_LETTER_SETTING } from "#db/restore.server.ts";
import type { LedgerDocument } from "#db/tables.ts";

/**
 * Issues the tax invoice of a payment just applied; the number is taken in the same transaction,
 * so the series has no gap (Rule 46(b) CGST). Without a GSTIN it is a sample of its own series.
 */
export function issueInvoice(
  tx: Db,
  env: Pick<Env, "business" | "sampleDocuments">,
  appointment: Appointment,
  paymentId: string,
  now: number,
): string {
  const sample = isSample(env);
  // An unknown one is as good as none: the law then takes the supplier's place.
  const { stateCode } = appointment;
  const customerState = stateCode && GST_STATES.has(stateCode) ? stateCode : env.business.state;
  const tax = splitTax(appointment.price.gstPaise, env.business.state, customerState);
  const number = nextNumber(tx, sample ? "RC" : "AC", now);
  insertDocument(tx, {
    ...number,
    kind: "invoice",
    on_date: dateInIndia(now),
    issued_at: now,
    appointment_id: appointment.id,
    payment_id: paymentId,
    refund_id: null,
    invoice_number: null,
    customer_name: appointment.contact.name,
    state_code: customerState,
    description: `One-on-one aviation career counselling, ${appointment.minutes} minutes\n${appointment.counselor}, ${formatSession(appointment.date, appointment.timeSlot)}`,
    minutes: appointment.minutes,
    sac: env.business.sac,
    taxable_paise: appointment.price.basePaise,
    cgst_paise: tax.cgstPaise,
    sgst_paise: tax.sgstPaise,
    igst_paise: tax.igstPaise,
    total_paise: appointment.price.totalPaise,
    sample: sample ? 1 : 0,
    supplier: JSON.stringify(supplierOf(env.business, sample)),
  });
  return number.number;
}

/**
 * Issues the credit note of a refund the provider has accepted, once; null if the payment has no
 * invoice. A partial refund credits its share, tax included (section 34 CGST).
 */
export function issueCreditNote(
  tx: Db,
  refund: { id: string; paymentId: string; amountPaise: number },
  now: number,
): string | null {
  const invoice = findInvoiceOfPayment(tx, refund.paymentId);
  if (!invoice) return null;
  const known = findCreditNoteOfRefund(tx, refund.id);
  if (known) return known.number;
  const number = nextNumber(tx, invoice.sample ? "RN" : "CN", now);
  insertDocument(tx, {
    ...invoice,
    ...number,
    ...shareOf(invoice, refund.amountPaise),
    kind: "credit_note",
    on_date: dateInIndia(now),
    issued_at: now,
    refund_id: refund.id,
    invoice_number: invoice.number,
  });
  return number.number;
}

/** The amounts of an invoice scaled to a refund of `paise`; the parts add up to it exactly. */
function shareOf(
  invoice: Pick<
    LedgerDocument,
    "taxable_paise" | "cgst_paise" | "sgst_paise" | "igst_paise" | "total_paise"
  >,
  paise: number,
) {
  const scale = (part: number) => Math.round((part * paise) / invoice.total_paise);
  const cgst = scale(invoice.cgst_paise);
  const sgst = scale(invoice.sgst_paise);
  const igst = scale(invoice.igst_paise);
  return {
    taxable_paise: paise - cgst - sgst - igst,
    cgst_paise: cgst,
    sgst_paise: sgst,
    igst_paise: igst,
    total_paise: paise,
  };
}

function nextNumber(tx: Db, prefix: "AC" | "CN" | "RC" | "RN", now: number) {
  const series = `${prefix}${readSetting(tx, SERIES_LETTER_SETTING) ?? ""}`;
  const year = financialYear(dateInIndia(now));
  const serial = takeSerial(tx, series, year);
  return {
    number: `${series}/${year}/${String(serial).padStart(5, "0")}`,
    series,
    financial_year: year,
    serial,
  };
}

function isSample(env: Pick<Env, "business" | "sampleDocuments">): boolean {
  return env.sampleDocuments || env.business.gstin === null;
}

function supplierOf({ name, address, state, gstin, sac }: Supplier, sample: boolean): Supplier {
  return { name, address, state, gstin: sample ? null : gstin, sac };
}
