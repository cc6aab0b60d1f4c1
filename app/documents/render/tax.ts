/** The tax of a ledger row, as documents and summaries show it. */
import { GST_STATES, UTGST_STATES } from "#app/model/gstin.ts";
import { unknownCode } from "#app/model/unknown-code.ts";
import type { LedgerDocument } from "#db/tables.ts";

export type TaxedRow = Pick<
  LedgerDocument,
  "state_code" | "taxable_paise" | "cgst_paise" | "sgst_paise" | "igst_paise"
>;

export interface TaxLine {
  label: "CGST" | "SGST" | "UTGST" | "IGST";
  percent: number;
  paise: number;
}

export function gstPaise(row: TaxedRow): number {
  return row.cgst_paise + row.sgst_paise + row.igst_paise;
}

/**
 * The whole percentage the tax was reckoned with. It comes from the row, not from the catalogue,
 * so an old document keeps its rate when the rate changes. Tax is rounded to the rupee, so the
 * result is rounded to a whole percentage.
 */
export function gstPercent(row: TaxedRow): number {
  if (row.taxable_paise === 0) return 0;
  return Math.round((gstPaise(row) * 100) / row.taxable_paise);
}

/** One line for another state (IGST), two halves for the supplier's own. */
export function taxLines(row: TaxedRow): TaxLine[] {
  const percent = gstPercent(row);
  if (row.igst_paise > 0) return [{ label: "IGST", percent, paise: row.igst_paise }];
  return [
    { label: "CGST", percent: percent / 2, paise: row.cgst_paise },
    {
      label: UTGST_STATES.includes(row.state_code) ? "UTGST" : "SGST",
      percent: percent / 2,
      paise: row.sgst_paise,
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
