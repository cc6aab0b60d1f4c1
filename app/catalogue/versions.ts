/** What a change of a row with a version is checked for, and what it changes. */
import { isDeepStrictEqual } from "node:util";
import type { ActivityData } from "#app/model/activity.ts";
import { type Failure, failure } from "#app/model/outcome.ts";

const STALE = failure(
  "stale",
  "This was changed in the meantime. Please look at it again before you go on.",
);

/** Refuses a form made from an older version of the row. */
export function refuseStale(row: { version: number }, version: number | undefined): Failure | null {
  return version === undefined || version === row.version ? null : STALE;
}

/** The fields that differ, before and after; null if none does. */
export function changed<T extends object>(
  before: T,
  after: T,
): { before: ActivityData; after: ActivityData } | null {
  const fields = (Object.keys(after) as (keyof T)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
  if (fields.length === 0) return null;
  const pick = (from: T) => Object.fromEntries(fields.map((field) => [field, from[field]]));
  return { before: pick(before), after: pick(after) };
}
