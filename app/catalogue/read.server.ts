/** Reads the catalogue, and what changes of it share. */
import { isDeepStrictEqual } from "node:util";
import type { Env } from "#app/core/env.server.ts";
import { isLoopbackSite } from "#app/core/env-fields.ts";
import type { ActivityData } from "#app/model/activity.ts";
import { bookable, type Catalogue } from "#app/model/catalogue.ts";
import { type Failure, failure } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";

export { readCatalogue };

interface BookableDeps {
  db: Db;
  env: Pick<Env, "publicUrl" | "sampleDocuments">;
}

/** What visitors may book: sample captains only where nobody can take them for real ones. */
export function readBookable({ db, env }: BookableDeps): Catalogue {
  const samplesAllowed = env.sampleDocuments || isLoopbackSite(env);
  return bookable(readCatalogue(db), samplesAllowed);
}

const STALE = failure(
  "stale",
  "This was changed in the meantime. Please look at it again before you go on.",
);

/** Refuses a change that was based on an older version of the row. */
export function refuseStale(row: { version: number }, version: number | undefined): Failure | null {
  return version === undefined || version === row.version ? null : STALE;
}

/** Without the fields that are undefined. */
export function given<Fields extends object>(
  input: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof given<Fields>>;
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
