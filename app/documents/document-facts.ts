/**
 * The words of an issued document, printed in the PDF and shown on the booking's page. Everything
 * comes from the ledger row, so that a lost PDF can be made again with the same bytes. Fields: Rule
 * 46 and Rule 53(1A) of the CGST Rules.
 */
import { dateInIndia, formatDate } from "#app/model/dates.ts";
import { gstinFault, OUTSIDE_INDIA, PLACES, UTGST_STATES } from "#app/model/gstin.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { sumOfTax } from "#app/model/money.ts";
import { anyObject, storedJson } from "#app/model/stored-json.ts";
import { lookUp, tellUnknown, unknownCode } from "#app/model/unknown-code.ts";
import { paymentMethodWords } from "#app/model/wording.ts";
import type { LedgerDocument, PrintableDocument } from "#db/ledger-document.ts";

/**
 * The layout of new invoices. Issued documents keep theirs, and credit notes have that of their
 * invoice, so a changed layout gets a new number. In layout 1, tax was rounded to the rupee.
 */
export const LAYOUT = 2;

export const isKnownLayout = (layout: number) => layout >= 1 && layout <= LAYOUT;

/** Words that differ between invoice and credit note, and between a real one and a sample. */
const WORDS = {
  invoice: { taxable: "Taxable value", total: "Total", party: "Billed to" },
  credit_note: { taxable: "Taxable value credited", total: "Total credited", party: "Credited to" },
} as const;
const NAMES = {
  invoice: { real: "Invoice", sample: "Receipt" },
  credit_note: { real: "Credit note", sample: "Sample credit note" },
} as const;

export function documentFacts(document: PrintableDocument) {
  const { kind, sample, stateCode, taxablePaise, tax, roundOffPaise } = document;
  const supplier = supplierOf(document);
  const isWithin = tax.cgst > 0 || (tax.igst === 0 && stateCode === supplier.state);
  const amounts: Amount[] = [[WORDS[kind].taxable, taxablePaise], ...taxLines(document, isWithin)];
  if (roundOffPaise !== 0) amounts.push(["Round-off", roundOffPaise]);
  const place = stateWithCode(stateCode);
  const isGiven = document.customerStateCode !== null || document.customerGstin !== null;
  return {
    supplier,
    name: NAMES[kind][sample ? "sample" : "real"],
    date: formatDate(document.onDate),
    /** Only of an invoice, which has it on a line of its own since layout 2. */
    paidOn: kind === "invoice" && document.layout > 1 ? paidDate(document) : null,
    partyLabel: WORDS[kind].party,
    /** The state, or abroad the country, that the customer gave; null if they gave none. */
    customerState: isGiven ? (document.customerCountry ?? place) : null,
    endorsement: stateCode === OUTSIDE_INDIA ? EXPORT_ENDORSEMENT : null,
    placeOfSupply: isGiven
      ? `${place}${stateCode === OUTSIDE_INDIA ? " (IGST Act, section 13(2))" : ""}`
      : `${place}, the supplier's location (IGST Act, section 12(2)(b)(ii))`,
    amounts,
    total: [WORDS[kind].total, document.totalPaise] satisfies Amount,
    corrects: correctionOf(document),
    /** On a credit note: how the money is returned. */
    paid: kind === "invoice" ? paidWords(document) : refundedWords(document),
  };
}

/** Rule 46 CGST, for a supply abroad on which tax is paid. */
const EXPORT_ENDORSEMENT =
  "SUPPLY MEANT FOR EXPORT/SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX";

function correctionOf({ sample, invoiceNumber, invoiceDate }: PrintableDocument): string | null {
  if (invoiceNumber === null) return null;
  const original = `${sample ? "receipt" : "invoice"} ${invoiceNumber}`;
  const since = invoiceDate ? ` of ${formatDate(invoiceDate)}` : "";
  return `This ${sample ? "sample " : ""}credit note corrects ${original}${since}.`;
}

function paidWords(document: LedgerDocument): [string, string] {
  const { layout, paidMethod, paidReference, paymentId } = document;
  const by = paidMethod === null ? [] : [`By ${paymentMethodWords(paidMethod)}`];
  const paidOn = layout === 1 ? paidDate(document) : null;
  const on = paidOn === null ? [] : [`on ${paidOn}`];
  const how = [...by, ...on].join(" ");
  const reference = paidReference === null ? [] : [`reference ${paidReference}`];
  // The id of an offline payment is internal and means nothing to the customer.
  const id = isOfflinePayment(paymentId) ? [] : [`payment ${paymentId}`];
  return ["Paid", [how, ...reference, ...id].filter(Boolean).join(", ")];
}

function paidDate({ paidAt }: Pick<LedgerDocument, "paidAt">): string | null {
  return paidAt === null ? null : formatDate(dateInIndia(paidAt));
}

/** The payment method of a credit note whose money staff paid back by hand. */
export const BY_HAND = "by_hand";

function refundedWords({ paidMethod, paymentId }: LedgerDocument): [string, string] {
  if (paidMethod === BY_HAND) {
    const of = isOfflinePayment(paymentId) ? "" : ` of payment ${paymentId}`;
    return ["Refund", `Refund${of}, paid back by hand, not by the payment provider.`];
  }
  const by = paidMethod === null ? "" : ` (${paymentMethodWords(paidMethod)})`;
  const what = isOfflinePayment(paymentId)
    ? "Refund, paid back by us: the payment came in outside the payment provider"
    : `Refund of payment ${paymentId}, back the way it was paid`;
  return ["Refund", `${what}${by}.`];
}

/** Why a ledger row cannot be read in full, or null if it can. */
export function faultOf(
  document: Pick<LedgerDocument, "layout" | "stateCode" | "customerGstin" | "supplier">,
): string | null {
  const { layout, stateCode, customerGstin } = document;
  if (!isKnownLayout(layout)) {
    tellUnknown(`layout ${layout}`);
    return `This document cannot be shown: its layout ${layout} is not known here.`;
  }
  if (!PLACES.has(stateCode)) {
    return `The place of supply cannot be read: ${stateWithCode(stateCode)}.`;
  }
  if (customerGstin !== null && gstinFault(customerGstin) !== null) {
    return `The customer's GSTIN cannot be read: ${unknownCode(customerGstin)}.`;
  }
  return supplierOf(document).name === "" ? "The supplier cannot be read." : null;
}

/** The supplier stored in the ledger row; texts that cannot be read are empty. */
export function supplierOf({ supplier }: Pick<LedgerDocument, "supplier">) {
  const kept = storedJson("document.supplier", supplier, anyObject, {});
  const text = (name: string) => (typeof kept[name] === "string" ? kept[name] : "");
  return {
    brand: text("brand"),
    /** The picture's id in `portrait`. */
    logo: text("logo"),
    name: text("name"),
    address: text("address"),
    state: text("state"),
    gstin: text("gstin"),
    cin: text("cin"),
    /** Stored since layout 2. */
    contact: [text("phone"), text("email"), text("website")].filter(Boolean).join(", "),
  };
}

type Taxed = Pick<LedgerDocument, "stateCode" | "gstPercent" | "tax">;

type Amount = [label: string, paise: number];

/** IGST for another state, else CGST and SGST or UTGST, half each, and their sum. */
function taxLines({ stateCode, gstPercent, tax }: Taxed, withinState: boolean): Amount[] {
  if (!withinState) return [[`IGST ${gstPercent}%`, tax.igst]];
  const half = `${gstPercent / 2}%`;
  const stateTax = UTGST_STATES.includes(stateCode) ? "UTGST" : "SGST";
  return [
    [`CGST ${half}`, tax.cgst],
    [`${stateTax} ${half}`, tax.sgst],
    [`Total GST ${gstPercent}%`, sumOfTax(tax)],
  ];
}

export function stateName(code: string): string {
  return PLACES.get(code) ?? unknownCode(code);
}

/** `Karnataka (29)`. */
export function stateWithCode(code: string): string {
  return PLACES.has(code) ? `${stateName(code)} (${code})` : stateName(code);
}

/** States that the GST portal's tool spells differently, apart from "&" for "and". */
const TOOL_NAMES = lookUp({
  "31": "Lakshdweep",
  "35": "Andaman & Nicobar Islands",
  [OUTSIDE_INDIA]: "Foreign Country",
});

/** `29-Karnataka`, as the GST portal's tool (template V2.2) spells the place of supply. */
export function codeWithState(code: string): string {
  if (!PLACES.has(code)) return stateName(code);
  return `${code}-${TOOL_NAMES(code) ?? stateName(code).replaceAll(" and ", " & ")}`;
}

const SMALL =
  " One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen".split(
    " ",
  );
const TENS = ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];

/** `117900` → `Rupees One Thousand One Hundred Seventy-Nine Only`. Takes whole paise, not below 0. */
export function amountInWords(paise: number): string {
  if (!Number.isSafeInteger(paise) || paise < 0) throw new RangeError(`not an amount: ${paise}`);
  const rupees = Math.floor(paise / 100);
  const rest = paise % 100;
  if (rupees === 0) return rest === 0 ? "Rupees Zero Only" : `Paise ${underHundred(rest)} Only`;
  const after = rest === 0 ? "" : ` and ${underHundred(rest)} Paise`;
  return `Rupees ${wholeInWords(rupees)}${after} Only`;
}

/** From 100 crores on, the number of crores is in words too: `One Lakh Crore`. */
function wholeInWords(rupees: number): string {
  const crores = Math.floor(rupees / 10_000_000);
  const lakhs = Math.floor(rupees / 100_000) % 100;
  const thousands = Math.floor(rupees / 1000) % 100;
  const hundreds = Math.floor(rupees / 100) % 10;
  return [
    crores > 0 ? `${wholeInWords(crores)} Crore` : "",
    lakhs > 0 ? `${underHundred(lakhs)} Lakh` : "",
    thousands > 0 ? `${underHundred(thousands)} Thousand` : "",
    hundreds > 0 ? `${underHundred(hundreds)} Hundred` : "",
    underHundred(rupees % 100),
  ]
    .filter(Boolean)
    .join(" ");
}

function underHundred(number: number): string {
  const ten = TENS[Math.floor(number / 10)] ?? "";
  if (number < 20) return SMALL[number] ?? "";
  return number % 10 === 0 ? ten : `${ten}-${SMALL[number % 10]}`;
}
