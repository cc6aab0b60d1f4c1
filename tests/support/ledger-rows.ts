/** Documents of the ledger and rows of the export, as `db/` would give them. */
import type { PrintableDocument } from "#db/ledger-document.ts";
import type { ExportRow, GstDocument } from "#db/queries/reports.server.ts";

const SUPPLIER = {
  brand: "Captain's Briefing",
  name: "Captain's Briefing Private Limited",
  address: "2nd Floor, 14 Residency Road, Bengaluru 560025",
  state: "29",
  gstin: "29ABCDE1234F1ZW",
  sac: "999299",
};

export function ledgerRow(changes: Partial<PrintableDocument> = {}): PrintableDocument {
  return {
    number: "AC/26-27/00001",
    kind: "invoice",
    layout: 1,
    series: "AC",
    financialYear: "26-27",
    serial: 1,
    onDate: "2026-11-20",
    issuedAt: Date.UTC(2026, 10, 20, 6, 30, 15, 250),
    appointmentId: "abcdefghijkmnpqrstuvwxyz23",
    paymentId: "pay_Qx7Zk2LmN8pRtV",
    paidMethod: "upi",
    paidAt: Date.UTC(2026, 10, 20, 6, 30),
    paidReference: null,
    refundId: null,
    invoiceNumber: null,
    customerName: "Ananya Krishnamurthy",
    customerGstin: null,
    customerAddress: null,
    customerCountry: null,
    customerStateCode: "29",
    stateCode: "29",
    description:
      "One-on-one aviation career counselling, 30 minutes\nCapt. Asha Sample, Sat, 21 Nov 2026, 2:00 PM IST",
    minutes: 30,
    sac: "999299",
    gstPercent: 18,
    taxablePaise: 99_900,
    tax: { cgst: 9_000, sgst: 9_000, igst: 0 },
    roundOffPaise: 0,
    totalPaise: 117_900,
    sample: false,
    supplier: JSON.stringify(SUPPLIER),
    ...changes,
  };
}

/** The same with its payment, as the month of the accountant has it; the fee is not known. */
export function gstDocument(changes: Partial<GstDocument> = {}): GstDocument {
  const ofPayment = { method: "upi", international: null, feePaise: null, feeTaxPaise: null };
  return { ...ledgerRow(), invoiceDate: null, ...ofPayment, ...changes };
}

/** The same session sold to another state. */
export function interStateRow(changes: Partial<PrintableDocument> = {}): PrintableDocument {
  return ledgerRow({
    number: "AC/26-27/00002",
    serial: 2,
    customerStateCode: "27",
    stateCode: "27",
    tax: { cgst: 0, sgst: 0, igst: 18_000 },
    ...changes,
  });
}

export function creditNoteRow(changes: Partial<PrintableDocument> = {}): PrintableDocument {
  return ledgerRow({
    number: "CN/26-27/00001",
    kind: "credit_note",
    series: "CN",
    onDate: "2026-12-03",
    issuedAt: Date.UTC(2026, 11, 3, 9, 0, 0),
    refundId: "rfnd_Qx9Zk2LmN8pRtV",
    invoiceNumber: "AC/26-27/00001",
    invoiceDate: "2026-11-20",
    ...changes,
  });
}

export function sampleRow(changes: Partial<PrintableDocument> = {}): PrintableDocument {
  return ledgerRow({ number: "RC/26-27/00001", series: "RC", sample: true, ...changes });
}

export function exportRow(changes: Partial<ExportRow> = {}): ExportRow {
  return {
    id: "abcdefghijkmnpqrstuvwxyz23",
    status: "confirmed",
    date: "2026-11-21",
    timeSlot: "14:00",
    counselor: "Capt. Asha Sample",
    minutes: 30,
    name: "राजेश्वरी Rao",
    email: "raj@example.in",
    phone: "+919876543210",
    basePaise: 99_900,
    gstPaise: 18_000,
    totalPaise: 117_900,
    paymentId: "pay_Qx7Zk2LmN8pRtV",
    method: "upi",
    paymentReference: null,
    paidPaise: 117_900,
    takenBackPaise: 0,
    keptPaise: 117_900,
    feePaise: 2_358,
    feeTaxPaise: 424,
    invoiceNumber: "AC/26-27/00001",
    invoiceDate: "2026-11-20",
    creditNoteNumbers: null,
    creditNoteDate: null,
    placeOfSupply: "29",
    cgstPaise: 9_000,
    sgstPaise: 9_000,
    igstPaise: 0,
    roundOffPaise: 0,
    createdAt: Date.UTC(2026, 10, 20, 19, 45, 31),
    notes: null,
    attendance: null,
    source: "visitor",
    ...changes,
  };
}
