/**
 * The summary of a month for the accountant: tax as the tool computes it and as it was charged, money
 * received before the month of its invoice, the provider's fees, and the bridge from the ledger to the
 * list's revenue.
 */
import { BY_HAND, codeWithState } from "#app/documents/document-facts.ts";
import { addDays, financialYear, firstYearOf, instantOf } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { sumOfTax } from "#app/model/money.ts";
import { formatMonth, type Month } from "#app/model/month.ts";
import { leftOf, TAKEN_BACK } from "#app/model/refund.ts";
import { paymentMethodLabel } from "#app/model/wording.ts";
import type { Db } from "#db/connection.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong } from "#db/queries/documents.server.ts";
import {
  countUndatedDocuments,
  type DocumentSum,
  type GstDocument,
  type LedgerParts,
  listAdvances,
  listGstDocuments,
  listSessionPayments,
  readLedgerParts,
  type SessionPayment,
} from "#db/queries/reports.server.ts";
import {
  listMovements,
  listSettlements,
  listUnsettled,
  settlementsSince,
} from "#db/queries/settlements.server.ts";
import type { GstSheet } from "./gst-sheets.ts";
import { isAbroad, netPaise, paidOn, signOf } from "./ledger-sums.ts";
import { type Cell, date, money, text, userText, whole } from "./workbook-cells.ts";
import type { Sheet } from "./workbook-file.ts";

export type GstMonth = ReturnType<typeof readMonth>;

/** What a month's workbook is made of. */
export function readMonth(db: Db, { from, to }: Month) {
  const range = { startDate: from, endDate: to };
  const [begin, end] = [instantOf(from, "00:00"), instantOf(addDays(to, 1), "00:00")];
  // Settlements before `since` were never read, so earlier payments are not known to be unsettled.
  const since = settlementsSince(db, true) ?? settlementsSince(db, false) ?? end;
  const { stats } = readAppointmentPage(db, range, { page: 1, pageSize: 1 });
  return {
    documents: listGstDocuments(db, from, to),
    advances: listAdvances(db, to, begin, end),
    undated: countUndatedDocuments(db),
    numberedAmong: listNumberedAmong(db, from, to),
    parts: readLedgerParts(db, from, to),
    payments: listSessionPayments(db, from, to),
    settlements: listSettlements(db, begin, end, true),
    settlementsInBooks: listSettlements(db, begin, end, false),
    unsettled: listUnsettled(db, { from: since, to: end, foreignTo: end, settledBefore: end }),
    movements: listMovements(db, begin, end),
    /** The revenue that the list of appointments shows for the same dates. */
    revenuePaise: Math.round(stats.totalRevenue * 100),
  };
}

export function summarySheet(read: GstMonth, sheets: GstSheet[], head: string[]): Sheet {
  const rows: Cell[][] = [...head.map((line) => [text(line)]), []];
  const line = (label: string, ...cells: Cell[]) => rows.push([text(label), ...cells]);
  const heads = (...labels: string[]) => rows.push(labels.map(text));
  const sum = (some: readonly GstDocument[], of: (document: GstDocument) => number) =>
    some.reduce((all, document) => all + of(document), 0);
  heads("Sheet", "Taxable value", "Tax as the tool computes it", "Tax charged", "Difference");
  for (const { sheet, taxablePaise, toolTaxPaise, taxPaise } of sheets) {
    if (sheet.name === "docs") continue;
    const amounts = [taxablePaise, toolTaxPaise, taxPaise, taxPaise - toolTaxPaise];
    line(sheet.name, ...amounts.map(money));
  }
  const taxed = read.documents.filter((document) => !document.sample);
  const roundOff = sum(taxed, (one) => signOf(one) * one.roundOffPaise);
  line("Round-off collected, credit notes less", money(roundOff));
  rows.push([], ...earlierMonths(taxed), [], ...invoicedLater(read.advances));
  rows.push([], ...lateNotes(taxed), ...customersAbroad(taxed));

  const invoicesOf = (some: readonly GstDocument[]) =>
    some.filter(({ kind }) => kind === "invoice");
  const notesOf = (some: readonly GstDocument[]) => some.filter(({ kind }) => kind !== "invoice");
  const outside = taxed.filter(isOutside);
  const provider = taxed.filter((document) => !isOutside(document));
  const known = invoicesOf(provider).filter((one) => one.feePaise !== null);
  const unknown = invoicesOf(provider).filter((one) => one.feePaise === null);
  const credited = notesOf(provider);
  const amounts = (some: readonly GstDocument[], label: string, of: (one: GstDocument) => number) =>
    line(label, whole(some.length), money(sum(some, of)));
  heads("Through the payment provider", "Documents", "Amount");
  amounts(known, "Total of invoices whose fee is known", (one) => one.totalPaise);
  amounts(credited, "Credit notes", (one) => -one.totalPaise);
  amounts(known, "Fee without GST", (one) => -(one.feePaise ?? 0));
  amounts(known, "GST on the fee", (one) => -(one.feeTaxPaise ?? 0));
  amounts([...known, ...credited], "Net (Total less both)", (one) => netPaise(one) ?? 0);
  amounts(unknown, "Fee not known yet", (one) => one.totalPaise);
  rows.push([]);
  heads("Paid outside the payment provider", "Documents", "Amount");
  amounts(invoicesOf(outside), "Invoices", (one) => one.totalPaise);
  amounts(notesOf(outside), "Credit notes paid back by hand", (one) => -one.totalPaise);
  amounts(outside, "Kept outside", (one) => signOf(one) * one.totalPaise);
  rows.push([]);

  const total = sum(read.documents, (one) => signOf(one) * one.totalPaise);
  heads("From the ledger to the list's revenue", "Count", "Amount");
  line("Total of the register, by document date", whole(read.documents.length), money(total));
  const bridge = bridgeLines(read.parts, read.payments);
  for (const { label, count, paise } of bridge) line(label, whole(count), money(paise));
  const reached = total + bridge.reduce((all, { paise }) => all + paise, 0);
  line("Together", undefined, money(reached));
  line("Revenue of the list, by session date", undefined, money(read.revenuePaise));
  line("Difference", undefined, money(read.revenuePaise - reached));
  return { name: "Summary", rows, widths: [50, 15, 26, 15, 13, 11, 11, 11, 20, 9] };
}

/** True if the money did not go through the provider, also for a refund that staff paid by hand. */
function isOutside({ kind, method, paymentId }: GstDocument): boolean {
  return isOfflinePayment(paymentId) || (kind === "credit_note" && method === BY_HAND);
}

type Fields = readonly (readonly [heading: string, cell: (one: GstDocument) => Cell])[];

function table(fields: Fields, documents: readonly GstDocument[]): Cell[][] {
  const heads = fields.map(([heading]) => text(heading));
  return [heads, ...documents.map((one) => fields.map(([, cell]) => cell(one)))];
}

const ADVANCE: Fields = [
  ["Invoice", (one) => text(one.number)],
  ["Paid on", (one) => date(paidOn(one))],
  ["Taxable value", (one) => money(one.taxablePaise)],
  ["Tax", ({ tax }) => money(sumOfTax(tax))],
  ["IGST", ({ tax }) => money(tax.igst)],
  ["CGST", ({ tax }) => money(tax.cgst)],
  ["SGST", ({ tax }) => money(tax.sgst)],
  ["Place of supply", (one) => text(codeWithState(one.stateCode))],
  ["Rate (%)", (one) => whole(one.gstPercent)],
];
const ADVANCE_NOTE =
  "Each is to be reported in Table 11A of the month it was paid in and Table 11B of its invoice's month.";

/**
 * Money received before the month of its invoice is an advance (section 13(2) CGST): its tax belongs
 * to the month in which it was received.
 */
function advances(first: Fields[number], some: readonly GstDocument[]): Cell[][] {
  return [...table([first, ...ADVANCE], some), [text(some.length === 0 ? "None" : ADVANCE_NOTE)]];
}

function earlierMonths(documents: readonly GstDocument[]): Cell[][] {
  const month = (one: GstDocument) => text(monthPaid(one));
  return advances(["Received in an earlier month", month], documents.filter(isPaidEarlier));
}

function invoicedLater(documents: readonly GstDocument[]): Cell[][] {
  return advances(["Received in this month, invoiced later", (one) => date(one.onDate)], documents);
}

function isPaidEarlier(document: GstDocument): boolean {
  const on = paidOn(document);
  return document.kind === "invoice" && on !== null && on.slice(0, 7) < document.onDate.slice(0, 7);
}

function monthPaid(document: GstDocument): string {
  const on = paidOn(document)!;
  const isOfEarlierYear = financialYear(on) !== financialYear(document.onDate);
  return `${formatMonth(on.slice(0, 7))}${isOfEarlierYear ? ", an earlier financial year" : ""}`;
}

const LATE: Fields = [
  ["Credit note after 30 November", (one) => text(one.number)],
  ["Of invoice", (one) => text(one.invoiceNumber)],
  ["Taxable value", (one) => money(-one.taxablePaise)],
  ["Tax", ({ tax }) => money(-sumOfTax(tax))],
];

/** After 30 November of the year after, an invoice's tax is not taken back (section 34(2) CGST). */
function lateNotes(documents: readonly GstDocument[]): Cell[][] {
  const late = documents.filter(
    ({ invoiceDate, onDate }) =>
      invoiceDate !== null && onDate > `${firstYearOf(invoiceDate) + 1}-11-30`,
  );
  const note =
    "Too late to reduce the tax of the invoice: take them off the sheets of the tool, and their tax out of the journal.";
  return late.length === 0 ? [] : [...table(LATE, late), [text(note)], []];
}

const ABROAD: Fields = [
  ["Outside India", (one) => userText(one.customerCountry)],
  ["Document", (one) => text(one.number)],
  ["Method", ({ method }) => text(method && paymentMethodLabel(method))],
  ["International payment", (one) => text(INTERNATIONAL[one.international ?? -1] ?? "not known")],
  ["Total", (one) => money(signOf(one) * one.totalPaise)],
];
/** By the provider's value for an international payment, 0 or 1. */
const INTERNATIONAL: readonly (string | undefined)[] = ["no", "yes"];

/** The accountant decides whether each is an export, by how it was paid (section 2(6) IGST). */
function customersAbroad(documents: readonly GstDocument[]): Cell[][] {
  const abroad = documents.filter(isAbroad);
  const note = "Whether each is an export (section 2(6) IGST Act) is for the accountant to say.";
  return abroad.length === 0 ? [] : [...table(ABROAD, abroad), [text(note)], []];
}

// The bridge leads from the ledger's total of a month (by document date, all documents) to the
// list's revenue of the same dates (by session date, existing appointments). Each line is counted by
// itself, none as a remainder, so that a missing one shows as a difference.

/** From the third line on, only of this month's sessions. */
export function bridgeLines(parts: LedgerParts, payments: readonly SessionPayment[]) {
  const invoiced = payments.filter(isInvoiced);
  const refunds = invoiced.flatMap((payment) => payment.refunds);
  const takenOff = ({ count, paise }: DocumentSum): DocumentSum => ({ count, paise: -paise });
  const uncredited = sumOf(refunds, (one) =>
    one.counts ? (one.creditedPaise ?? 0) - one.amountPaise : 0,
  );
  const credited = sumOf(refunds, (one) => (one.counts ? 0 : (one.creditedPaise ?? 0)));
  const takenBack = sumOf(invoiced, (one) => -one.takenBackPaise);
  const beyond = sumOf(invoiced, (one) => one.amountPaise - one.invoicePaise);
  const kept = sumOf(payments, (one) => (isInvoiced(one) ? 0 : leftOf(one, one.refunds)));
  return [
    { label: "Documents of appointments deleted since", ...takenOff(parts.deleted) },
    { label: "Documents for sessions of other months", ...takenOff(parts.otherSessions) },
    { label: "Documents of other months for sessions of this one", ...parts.otherDates },
    { label: "Refunds wanted and not credited yet", ...uncredited },
    { label: "Credit notes of refunds that count no more", ...credited },
    { label: TAKEN_BACK, ...takenBack },
    { label: "Paid beyond the invoice", ...beyond },
    { label: "Kept of payments without an invoice", ...kept },
  ];
}

type Invoiced = SessionPayment & { invoicePaise: number };

function isInvoiced(payment: SessionPayment): payment is Invoiced {
  return payment.invoicePaise !== null;
}

function sumOf<T>(rows: readonly T[], paiseOf: (row: T) => number): DocumentSum {
  const amounts = rows.map(paiseOf).filter((paise) => paise !== 0);
  return { count: amounts.length, paise: amounts.reduce((sum, paise) => sum + paise, 0) };
}
