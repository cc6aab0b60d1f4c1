/** Issues invoices and credit notes into the ledger, inside the transaction of their cause. */

import { z } from "zod";
import { BRAND } from "#app/catalogue.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env, Supplier } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, financialYear, formatSession } from "#app/model/dates.ts";
import { GST_STATES } from "#app/model/gstin.ts";
import { GST_PERCENT } from "#app/model/price.ts";
import type { RefundWay } from "#app/model/refund.ts";
import { storedJson } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findCreditNoteOfRefund,
  findInvoiceOfPayment,
  insertDocument,
  sumCredited,
  takeSerial,
} from "#db/queries/documents.server.ts";
import { findPayment } from "#db/queries/payments.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { RESTORED_SETTING, SERIES_LETTER_SETTING } from "#db/restore.server.ts";
import { chargeOf, creditOf } from "./charge.ts";
import { BY_HAND, LAYOUT } from "./document-facts.ts";

/**
 * Issues the tax invoice of a payment that was just applied. Its number is taken in the same
 * transaction, so the series has no gap (Rule 46(b) CGST). Without a GSTIN it is a sample of its
 * own series.
 */
export function issueInvoice(
  tx: Db,
  env: Pick<Env, "business" | "sampleDocuments">,
  appointment: Appointment,
  paymentId: string,
  now: number,
): string {
  const sample = env.sampleDocuments || env.business.gstin === null;
  // An unknown state counts as none: the place of supply is then the supplier's.
  const { company, price } = appointment;
  const given = appointment.stateCode;
  const customerStateCode = given && GST_STATES.has(given) ? given : null;
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
    paidAt: payment?.capturedAt ?? null,
    refundId: null,
    invoiceNumber: null,
    customerName: company?.name ?? appointment.contact.name,
    customerGstin: company?.gstin ?? null,
    customerAddress: company?.address ?? null,
    customerStateCode,
    stateCode,
    description: `One-on-one aviation career counselling, ${appointment.minutes} minutes\n${appointment.counselor}, ${formatSession(appointment.date, appointment.timeSlot)}`,
    minutes: appointment.minutes,
    sac: env.business.sac,
    gstPercent: GST_PERCENT,
    ...chargeOf(price.totalPaise, price, stateCode === env.business.state),
    sample,
    supplier: JSON.stringify(supplierOf(env.business, sample)),
  });
  return number.number;
}

/**
 * Issues the credit note of a refund that the provider has accepted, once; null if the payment has
 * no invoice, or all of it is credited. A partial refund credits its share, tax included (section
 * 34 CGST).
 */
export function issueCreditNote(
  tx: Db,
  refund: { id: string; paymentId: string; amountPaise: number; way: RefundWay },
  now: number,
): string | null {
  const invoice = findInvoiceOfPayment(tx, refund.paymentId);
  if (!invoice) return null;
  const known = findCreditNoteOfRefund(tx, refund.id);
  if (known) return known.number;
  const credit = creditOf(invoice, sumCredited(tx, invoice), refund.amountPaise);
  if (!credit) return null;
  const number = nextNumber(tx, invoice.sample ? "RN" : "CN", now);
  insertDocument(tx, {
    ...invoice,
    ...number,
    ...credit,
    kind: "credit_note",
    layout: LAYOUT,
    onDate: dateInIndia(now),
    issuedAt: now,
    // How the money is returned, if not the way it was paid.
    paidMethod: refund.way === "by_hand" ? BY_HAND : invoice.paidMethod,
    refundId: refund.id,
    invoiceNumber: invoice.number,
  });
  return number.number;
}

function nextNumber(tx: Db, prefix: "AC" | "CN" | "RC" | "RN", now: number) {
  const series = `${prefix}${readSetting(tx, SERIES_LETTER_SETTING) ?? ""}`;
  const year = financialYear(dateInIndia(now));
  const serial = takeSerial(tx, series, year);
  return {
    number: `${series}/${year}/${String(serial).padStart(5, "0")}`,
    series,
    financialYear: year,
    serial,
  };
}

function supplierOf({ name, address, state, gstin, sac }: Supplier, sample: boolean) {
  return { brand: BRAND.name, name, address, state, gstin: sample ? null : gstin, sac };
}

// After a restore the owner looks through the numbers that may have been issued since the backup.

const schema = z.object({
  /** When the backup was taken, milliseconds UTC. */
  takenAt: z.number(),
  /** The last invoice and credit note in it. */
  last: z.array(z.string()),
  seriesLetter: z.string(),
});

export type RestoredCopy = z.output<typeof schema>;

/** Null without a restore, or once it was looked through. */
export function readRestored(db: Db): RestoredCopy | null {
  const text = readSetting(db, RESTORED_SETTING);
  return text ? storedJson(RESTORED_SETTING, text, schema.nullable(), null) : null;
}

export function dismissRestored({ db }: Pick<Deps, "db">): void {
  writeSetting(db, RESTORED_SETTING, "");
}
