/** Typed cells of workbooks. User text is always a string cell, never a formula. */
import { DAY, INDIA_OFFSET, MINUTE } from "#app/model/dates.ts";
import { withoutFormula } from "#app/model/text.ts";
import { unknownCode } from "#app/model/unknown-code.ts";

/** A text or a number, with its format; undefined for no cell. */
export type Cell =
  | { t: "s"; v: string; z?: Format }
  | { t: "n"; v: number; z?: Format }
  | undefined;

/** Days from Excel's day 0 to 1 January 1970. */
const EPOCH_SERIAL = 25_569;

const DATE_FORMAT = "dd-mmm-yyyy";
const INSTANT_FORMAT = "dd-mmm-yyyy hh:mm";
/** Grouped by lakh and crore; it has no branch for negative amounts. */
const RUPEES_FORMAT = "[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]##\\,##\\,##0.00;#,##0.00";
const NEGATIVE_FORMAT = "#,##0.00";
const PLAIN_FORMAT = "0.00";
const TEXT_FORMAT = "@";

/** Formats that XLSX does not predefine. */
export const OWN_FORMATS = [DATE_FORMAT, INSTANT_FORMAT, RUPEES_FORMAT] as const;
/** All formats that a cell may have. */
export const FORMATS = [...OWN_FORMATS, NEGATIVE_FORMAT, PLAIN_FORMAT, TEXT_FORMAT] as const;
type Format = (typeof FORMATS)[number];

/** The most characters in a cell. */
const MAX_TEXT = 32_767;

// Characters that XML 1.0 does not allow, or that are invisible in a cell.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** Text that is fixed or already checked: ids, labels, document numbers. */
export function text(value: string | null): Cell {
  return value === null || value === "" ? undefined : { t: "s", v: clean(value) };
}

/**
 * Text as a person typed it. A leading sign that a spreadsheet takes for a formula gets an
 * apostrophe: harmless in this string cell, and needed if somebody saves it as CSV.
 */
export function userText(value: string | null): Cell {
  return value === null ? undefined : text(withoutFormula(clean(value)));
}

/** As text, so that a phone number keeps its plus sign or leading zero. */
export function phone(value: string): Cell {
  if (!/^\+?[0-9][0-9 ().-]*$/.test(value)) return userText(value);
  return { t: "s", v: value, z: TEXT_FORMAT };
}

export function whole(value: number): Cell {
  return { t: "n", v: value };
}

export function money(paise: number | null): Cell {
  if (paise === null) return undefined;
  return { t: "n", v: paise / 100, z: paise < 0 ? NEGATIVE_FORMAT : RUPEES_FORMAT };
}

/** Without separators: the GST portal's tool reads the text and stops at a second comma. */
export function plainMoney(paise: number): Cell {
  return { t: "n", v: paise / 100, z: PLAIN_FORMAT };
}

/** A calendar date as Excel counts days, independent of time zones. */
export function date(value: string | null): Cell {
  if (value === null) return undefined;
  const at = Date.parse(`${value}T00:00:00Z`);
  if (Number.isNaN(at)) return text(unknownCode(value));
  return { t: "n", v: at / DAY + EPOCH_SERIAL, z: DATE_FORMAT };
}

/** An instant as wall-clock time in India. */
export function instant(value: number): Cell {
  const minute = Math.floor((value + INDIA_OFFSET) / MINUTE) * MINUTE;
  return { t: "n", v: minute / DAY + EPOCH_SERIAL, z: INSTANT_FORMAT };
}

function clean(value: string): string {
  const cleaned = value.replace(CONTROL, "").toWellFormed();
  return cleaned.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "");
}
