/** Facts about one document for the accountant's sheets. */
import { dateInIndia } from "#app/model/dates.ts";
import { OUTSIDE_INDIA } from "#app/model/gstin.ts";
import { netOf } from "#app/model/money.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";

/** Total less fees, in paise; null while the fee is not known. A refund returns no fee. */
export function netPaise(document: GstDocument): number | null {
  const { kind, totalPaise: amountPaise } = document;
  return kind === "credit_note" ? -amountPaise : netOf({ ...document, amountPaise });
}

/** True for a customer outside India, for whom the tool has separate sheets. */
export function isAbroad({ stateCode, customerGstin }: GstDocument): boolean {
  return stateCode === OUTSIDE_INDIA && customerGstin === null;
}

/** The date of the payment in India, yyyy-MM-dd. */
export function paidOn({ paidAt }: GstDocument): string | null {
  return paidAt === null ? null : dateInIndia(paidAt);
}

/** The name as the tool accepts it (ASCII, at most 99 characters); null if it would be misspelled. */
export function receiverName(name: string): string | null {
  const quoted = name
    .normalize("NFKD")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, "-");
  if (/(?!\p{ASCII})\p{L}/u.test(quoted)) return null;
  const plain = quoted.replace(/[^A-Za-z0-9 _&'\-./\\,()?@!#%$~*;+=]/g, "");
  const short = plain.replace(/ +/g, " ").trim().slice(0, 99).trim();
  return /[A-Za-z0-9]/.test(short) ? short : null;
}
