/** The tax of a ledger document, as documents and summaries show it. */
import { GST_STATES, UTGST_STATES } from "#app/model/gstin.ts";
import { lookUp, unknownCode } from "#app/model/unknown-code.ts";
import type { LedgerDocument } from "#db/ledger-document.ts";

type Taxed = Pick<LedgerDocument, "stateCode" | "gstPercent" | "tax">;

interface TaxLine {
  label: "CGST" | "SGST" | "UTGST" | "IGST";
  percent: number;
  paise: number;
}

/** One line for another state (IGST), two halves for the supplier's own. */
export function taxLines(
  { stateCode, gstPercent, tax }: Taxed,
  withinState: boolean,
): readonly TaxLine[] {
  if (!withinState) return [{ label: "IGST", percent: gstPercent, paise: tax.igst }];
  const half = gstPercent / 2;
  const ofTheState = UTGST_STATES.includes(stateCode) ? "UTGST" : "SGST";
  return [
    { label: "CGST", percent: half, paise: tax.cgst },
    { label: ofTheState, percent: half, paise: tax.sgst },
  ];
}

export function stateName(code: string): string {
  return GST_STATES.get(code) ?? unknownCode(code);
}

/** `Karnataka (29)`. */
export function stateWithCode(code: string): string {
  return GST_STATES.has(code) ? `${stateName(code)} (${code})` : stateName(code);
}

/** Spelled in the list of the GST portal's tool otherwise than by "and" for "&". */
const TOOL_NAMES = lookUp({ "31": "Lakshdweep", "35": "Andaman & Nicobar Islands" });

/** `29-Karnataka`, as the list of the GST portal's tool (template V2.2) spells the place of supply. */
export function codeWithState(code: string): string {
  if (!GST_STATES.has(code)) return stateName(code);
  return `${code}-${TOOL_NAMES(code) ?? stateName(code).replaceAll(" and ", " & ")}`;
}
