/** Months of the ledger. */

import type { Deps } from "#app/core/deps.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { check } from "#app/model/fields.ts";
import { formatMonth, monthOf, monthSchema, nextMonth } from "#app/model/month.ts";
import { firstDocumentDate } from "#db/queries/documents.server.ts";

/** The month asked for, or the present one in India: with the fault of one that is none. */
export function askedMonth({ searchParams }: URL, now: number) {
  const present = dateInIndia(now).slice(0, 7);
  const asked = check(monthSchema, { month: searchParams.get("month") ?? present });
  if (asked.ok) return { month: asked.value.month, errors: undefined };
  return { month: monthOf(present), errors: asked.errors?.month };
}

/** From the present month back to that of the first document. */
export function monthOptions({ db, now }: Pick<Deps, "db" | "now">) {
  const last = dateInIndia(now()).slice(0, 7);
  const options: (readonly [string, string])[] = [];
  let month = firstDocumentDate(db)?.slice(0, 7) ?? last;
  for (; month <= last; month = nextMonth(month)) options.unshift([month, formatMonth(month)]);
  return options;
}
