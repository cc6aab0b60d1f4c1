import type { Tax } from "#app/model/money.ts";
import type { Stored } from "./row-fields.ts";

/** The ledger of issued invoices and credit notes: rows are only ever added. */
export interface DocumentTable {
  /** As printed, for example `AC/26-27/00001`. */
  number: string;
  kind: "invoice" | "credit_note";
  /** How it is set: a later layout leaves issued documents as they are. */
  layout: number;
  series: string;
  financial_year: string;
  serial: number;
  on_date: string;
  issued_at: number;
  /** No foreign key: the ledger outlives a deleted appointment. */
  appointment_id: string;
  payment_id: string;
  /** The provider's word, and the instant; null where they are not known. */
  paid_method: string | null;
  paid_at: number | null;
  /** What the payment is found by at the bank, or the reference of money paid outside. */
  paid_reference: string | null;
  refund_id: string | null;
  invoice_number: string | null;
  customer_name: string;
  customer_gstin: string | null;
  customer_address: string | null;
  /** Of a customer outside India. */
  customer_country: string | null;
  /** What the customer gave; null: none. */
  customer_state_code: string | null;
  state_code: string;
  description: string;
  minutes: number;
  sac: string;
  /** The whole rate: within the state each half of the tax has half of it. */
  gst_percent: number;
  taxable_paise: number;
  cgst_paise: number;
  sgst_paise: number;
  igst_paise: number;
  /** Part of the total: leads from taxable value and tax to what was charged. */
  round_off_paise: number;
  total_paise: number;
  sample: number;
  supplier: string;
}

/** A row of the ledger as an object; a `sample` has no registered supplier and is headed SAMPLE. */
export type LedgerDocument = Omit<Stored<DocumentTable>, `${keyof Tax}Paise` | "sample"> & {
  tax: Tax;
  sample: boolean;
};

/** With the date of the invoice that a credit note corrects: Rule 53(1A) wants number and date. */
export type PrintableDocument = LedgerDocument & { invoiceDate?: string | null };
