/** Months of the list of documents. */
import type { Deps } from "#app/core/deps.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { check } from "#app/model/fields.ts";
import { formatMonth, monthOf, monthSchema, nextMonth } from "#app/model/month.ts";
import { firstOfDocuments } from "#db/queries/documents.server.ts";

/** The requested month, or the current one in India; with errors if it is invalid. */
export function askedMonth({ searchParams }: URL, now: number) {
  const present = dateInIndia(now).slice(0, 7);
  const asked = check(monthSchema, { month: searchParams.get("month") ?? present });
  if (asked.ok) return { month: asked.value.month, errors: undefined };
  return { month: monthOf(present), errors: asked.errors?.month };
}

/**
 * The months from the current one in India back to that of the first document, or its payment; and
 * the one that is shown.
 */
export function monthOptions({ db, now }: Pick<Deps, "db" | "now">, shown: string) {
  const last = dateInIndia(now()).slice(0, 7);
  const months = new Set([shown]);
  const { onDate, paidAt } = firstOfDocuments(db);
  const first = [last, onDate ?? last, paidAt === null ? last : dateInIndia(paidAt)].toSorted()[0]!;
  let month = first.slice(0, 7);
  for (; month <= last; month = nextMonth(month)) months.add(month);
  return [...months]
    .toSorted()
    .toReversed()
    .map((one) => [one, formatMonth(one)] as const);
}
