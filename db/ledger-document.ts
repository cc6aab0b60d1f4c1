import type { Tax } from "#app/model/price.ts";
import type { Stored } from "./objects.ts";
import type { DocumentTable } from "./tables.ts";

/** A row of the ledger as an object; a `sample` has no registered supplier and is headed SAMPLE. */
export type LedgerDocument = Omit<Stored<DocumentTable>, `${keyof Tax}Paise` | "sample"> & {
  tax: Tax;
  sample: boolean;
};

/** With the date of the invoice that a credit note corrects: Rule 53(1A) wants number and date. */
export type PrintableDocument = LedgerDocument & { invoiceDate?: string | null };
