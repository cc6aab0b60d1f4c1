/** The tax of a ledger document, as documents and summaries show it. */
import { GST_STATES, UTGST_STATES } from "#app/model/gstin.ts";
import { sumOfTax } from "#app/model/price.ts";
import { unknownCode } from "#app/model/unknown-code.ts";
import type { LedgerDocument } from "#db/ledger-document.ts";

export type Taxed = Pick<LedgerDocument, "stateCode" | "taxablePaise" | "tax">;

export interface TaxLine {
  label: "CGST" | "SGST" | "UTGST" | "IGST";
  percent: number;
  paise: number;
}

/**
 * The whole percentage the tax was reckoned with. It comes from the document, not from the
 * catalogue, so an old one keeps its rate when the rate changes. Tax is rounded to the rupee, so
 * the result is rounded to a whole percentage.
 */
export function gstPercent(document: Taxed): number {
  if (document.taxablePaise === 0) return 0;
  return Math.round((sumOfTax(document.tax) * 100) / document.taxablePaise);
}

/** One line for another state (IGST), two halves for the supplier's own. */
export function taxLines(document: Taxed): TaxLine[] {
  const { stateCode, tax } = document;
  const percent = gstPercent(document);
  if (tax.igst > 0) return [{ label: "IGST", percent, paise: tax.igst }];
  return [
    { label: "CGST", percent: percent / 2, paise: tax.cgst },
    {
      label: UTGST_STATES.includes(stateCode) ? "UTGST" : "SGST",
      percent: percent / 2,
      paise: tax.sgst,
    },
  ];
}

export function stateName(code: string): string {
  return GST_STATES.get(code) ?? unknownCode(code);
}

/** `Karnataka (29)`. */
export function stateWithCode(code: string): string {
  return GST_STATES.has(code) ? `${stateName(code)} (${code})` : stateName(code);
}

/** `29-Karnataka`, the form of the GSTR-1 workbook. */
export function codeWithState(code: string): string {
  return GST_STATES.has(code) ? `${code}-${stateName(code)}` : stateName(code);
}
