/** Months of the ledger, and the numbers of its documents as parts of an address. */

import type { Deps } from "#app/core/deps.server.ts";
import { addDays, dateInIndia, formatLongDay } from "#app/model/dates.ts";
import { firstDocumentDate } from "#db/queries/documents.server.ts";

export interface Month {
  /** `yyyy-MM` */
  value: string;
  /** First and last date. */
  from: string;
  to: string;
}

/** The month asked for, or the present one in India. */
export function monthOf(text: string | null, now: number): Month {
  const value =
    text !== null && /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : dateInIndia(now).slice(0, 7);
  const from = `${value}-01`;
  return { value, from, to: addDays(`${nextMonth(value)}-01`, -1) };
}

/** From the present month back to that of the first document. */
export function monthOptions({ db, now }: Pick<Deps, "db" | "now">): (readonly [string, string])[] {
  const last = dateInIndia(now()).slice(0, 7);
  const options: (readonly [string, string])[] = [];
  let month = firstDocumentDate(db)?.slice(0, 7) ?? last;
  for (; month <= last; month = nextMonth(month)) {
    options.unshift([month, formatLongDay(`${month}-01`).replace(/^\w+, 1 /, "")]);
  }
  return options;
}

function nextMonth(month: string): string {
  return addDays(`${month}-28`, 4).slice(0, 7);
}

/** `AC/26-27/00001` ↔ `AC-26-27-00001`: a slash in an address is not safe with every proxy. */
export function documentSlug(number: string): string {
  return number.replaceAll("/", "-");
}

export function documentNumber(slug: string): string {
  return slug.replace(/^(.+)-(\d\d-\d\d)-(\d+)$/, "$1/$2/$3");
}
