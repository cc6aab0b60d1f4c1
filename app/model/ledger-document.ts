import type { Tax } from "./price.ts";

/** An issued invoice or credit note, as the ledger keeps it. */
export interface LedgerDocument {
  /** As printed, for example `AC/26-27/00001`. */
  number: string;
  kind: "invoice" | "credit_note";
  series: string;
  financialYear: string;
  serial: number;
  /** `yyyy-MM-dd` in India. */
  onDate: string;
  /** Milliseconds UTC. */
  issuedAt: number;
  appointmentId: string;
  paymentId: string;
  refundId: string | null;
  /** On a credit note: the invoice it corrects. */
  invoiceNumber: string | null;
  customerName: string;
  stateCode: string;
  description: string;
  minutes: number;
  sac: string;
  taxablePaise: number;
  tax: Tax;
  totalPaise: number;
  /** No registered supplier; headed SAMPLE. */
  sample: boolean;
  /** JSON of the supplier as printed. */
  supplier: string;
}

/**
 * With, for a credit note, the date of the invoice it corrects: Rule 53(1A) wants number and date.
 * Both are ledger facts, so the bytes stay the same whenever it is rendered.
 */
export type PrintableDocument = LedgerDocument & { invoiceDate?: string | null };
