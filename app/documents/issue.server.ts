/** Adds invoices and credit notes to the ledger, in the transaction of the payment or refund. */
import { z } from "zod";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, financialYear, formatSession } from "#app/model/dates.ts";
import { PLACES } from "#app/model/gstin.ts";
import { GST_PERCENT } from "#app/model/money.ts";
import type { RefundReason } from "#app/model/refund.ts";
import { storedJson } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";
import type { LedgerDocument } from "#db/ledger-document.ts";
import {
  findCreditNoteOfRefund,
  findInvoiceOfPayment,
  insertDocument,
  sumCredited,
  takeSerial,
} from "#db/queries/documents.server.ts";
import { findPayment, type StoredRefund } from "#db/queries/payments.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { RESTORED_SETTING, SERIES_LETTER_SETTING } from "#db/restore.server.ts";
import { type Charge, chargeOf, creditOf } from "./charge.ts";
import { BY_HAND, LAYOUT } from "./document-facts.ts";

/**
 * Issues the tax invoice of a payment that was just applied, and returns its number, which is taken
 * in the same transaction, so that the series has no gap (Rule 46(b) CGST). Without a GSTIN it is a
 * sample with a series of its own.
 */
export function issueInvoice(
  tx: Db,
  env: Pick<Env, "brand" | "business" | "publicUrl" | "sampleDocuments">,
  appointment: Appointment,
  paymentId: string,
  now: number,
): string {
  const sample = env.sampleDocuments || env.business.gstin === null;
  // Without a known state, the place of supply is the supplier's.
  const { abroad, company, price } = appointment;
  const given = appointment.stateCode;
  const customerStateCode = given && PLACES.has(given) ? given : null;
  const stateCode = customerStateCode ?? env.business.state;
  const payment = findPayment(tx, paymentId);
  const number = nextNumber(tx, sample ? "RC" : "AC", now);
  insertDocument(tx, {
    ...number,
    kind: "invoice",
    layout: LAYOUT,
    onDate: dateInIndia(now),
    issuedAt: now,
    appointmentId: appointment.id,
    paymentId,
    paidMethod: payment?.method ?? null,
    paidAt: payment?.paidAt ?? payment?.capturedAt ?? null,
    paidReference: payment?.reference ?? null,
    refundId: null,
    invoiceNumber: null,
    customerName: company?.name ?? abroad?.name ?? appointment.contact.name,
    customerGstin: company?.gstin ?? null,
    customerAddress: company?.address ?? abroad?.address ?? null,
    customerStateCode,
    customerCountry: abroad?.country ?? null,
    stateCode,
    description: `One-on-one aviation career counselling, ${appointment.minutes} minutes\n${appointment.counselor}, ${formatSession(appointment.date, appointment.timeSlot)}`,
    minutes: appointment.minutes,
    sac: env.business.sac,
    gstPercent: GST_PERCENT,
    ...chargeOf(price, stateCode === env.business.state),
    sample,
    supplier: JSON.stringify(supplierOf(env, sample)),
  });
  return number.number;
}

/**
 * Issues the credit note of a refund that the provider has accepted, once, and returns its number;
 * null if the payment has no invoice, or all of it is credited. A partial refund credits its share,
 * tax included (section 34 CGST). The note has the layout of the invoice whose tax it takes back.
 */
export function issueCreditNote(
  tx: Db,
  refund: Pick<StoredRefund, "id" | "paymentId" | "amountPaise" | "way" | "reason">,
  now: number,
): string | null {
  const invoice = findInvoiceOfPayment(tx, refund.paymentId);
  if (!invoice) return null;
  const known = findCreditNoteOfRefund(tx, refund.id);
  if (known) return known.number;
  const credit = creditOf(invoice, sumCredited(tx, invoice), refund.amountPaise);
  if (!credit) return null;
  // Not before its invoice, whatever the clock says.
  const issuedAt = Math.max(now, invoice.issuedAt);
  const number = nextNumber(tx, invoice.sample ? "RN" : "CN", issuedAt);
  insertDocument(tx, {
    ...invoice,
    ...number,
    ...credit,
    kind: "credit_note",
    description: creditDescription(invoice, credit, refund),
    onDate: dateInIndia(issuedAt),
    issuedAt,
    paidMethod: refund.way === "by_hand" ? BY_HAND : invoice.paidMethod,
    refundId: refund.id,
    invoiceNumber: invoice.number,
  });
  return number.number;
}

/** What is credited and why; in layout 1 the invoice's description. */
function creditDescription(
  { layout, sample, number, description, totalPaise }: LedgerDocument,
  credit: Charge,
  { reason }: Pick<StoredRefund, "reason">,
): string {
  if (layout === 1) return description;
  const what = credit.totalPaise < totalPaise ? "Part refund" : "Refund";
  const of = `${what} of ${sample ? "receipt" : "invoice"} ${number}`;
  return [of, `Reason: ${CREDIT_REASONS[reason]}`, description.split("\n")[0]].join("\n");
}

/** Fixed texts: what staff write may be about a person, and the ledger cannot be erased. */
const CREDIT_REASONS: Readonly<Record<RefundReason, string>> = {
  cancelled: "the session was cancelled",
  booking_cancelled: "the booking had been cancelled",
  time_gone: "the time was no longer free",
  session_begun: "the session had begun",
  second: "it was paid twice",
  wrong_amount: "another amount was paid",
  unmatched: "the payment belonged to no booking",
  by_staff: "agreed with the customer",
  dashboard: "refunded at the payment provider",
};

function nextNumber(tx: Db, prefix: "AC" | "CN" | "RC" | "RN", now: number) {
  const series = `${prefix}${readSetting(tx, SERIES_LETTER_SETTING) ?? ""}`;
  const year = financialYear(dateInIndia(now));
  const serial = takeSerial(tx, series, year);
  const number = `${series}/${year}/${String(serial).padStart(5, "0")}`;
  return { number, series, financialYear: year, serial };
}

function supplierOf(
  { brand, business, publicUrl }: Pick<Env, "brand" | "business" | "publicUrl">,
  sample: boolean,
) {
  const { name, address, state, gstin, sac, cin, email, phone } = business;
  return {
    brand: brand.name,
    ...(brand.logo !== null && { logo: brand.logo }),
    name,
    address,
    state,
    gstin: sample ? null : gstin,
    sac,
    cin: sample ? null : cin,
    email,
    phone,
    website: new URL(publicUrl).host,
  };
}

// After a restore, the owner checks the numbers that may have been issued since the backup.

const restoredSchema = z.object({
  /** When the backup was taken. */
  takenAt: z.number(),
  /** The numbers of the last invoice and credit note in it. */
  last: z.array(z.string()),
  seriesLetter: z.string(),
});

export type RestoredCopy = z.output<typeof restoredSchema>;

/** Null if there was no restore, or the owner has dismissed it. */
export function readRestored(db: Db): RestoredCopy | null {
  const text = readSetting(db, RESTORED_SETTING) || null;
  return storedJson(RESTORED_SETTING, text, restoredSchema.nullable(), null);
}

export function dismissRestored({ db }: Pick<Deps, "db">): void {
  writeSetting(db, RESTORED_SETTING, "");
}
