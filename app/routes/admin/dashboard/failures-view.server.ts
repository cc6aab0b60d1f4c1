/** Internal failures, in words for the owner and for a developer. */
import type { ReadDeps } from "#app/core/deps.server.ts";
import { FAILURE_AGE } from "#app/core/failures.server.ts";
import { addDays, adminDate, adminInstant, dateInIndia } from "#app/model/dates.ts";
import { type Failure, listFailures } from "#db/queries/health.server.ts";

/** Groups shown; the rest are only counted. */
const SHOWN = 3;

export type FailuresView = NonNullable<ReturnType<typeof failuresView>>;

/** Null without failures. */
export function failuresView({ db, env, now }: ReadDeps) {
  const at = now();
  const failures = listFailures(db, at - FAILURE_AGE);
  if (failures.length === 0) return null;
  const count = failures.reduce((sum, one) => sum + one.count, 0);
  const since = Math.min(...failures.map(({ firstAt }) => firstAt));
  return {
    title: `Something failed ${timesWords(count)} since ${dayWords(since, at)}`,
    groups: failures.slice(0, SHOWN).map((failure) => ({
      key: `${failure.area} ${failure.kind} ${failure.place}`,
      label: labelOf(failure),
      words: wordsOf(env.brand.name, failure),
    })),
    more: Math.max(0, failures.length - SHOWN),
    /** Dismissing removes failures that have not occurred since; milliseconds UTC. */
    until: Math.max(...failures.map(({ lastAt }) => lastAt)),
  };
}

function labelOf({ count, lastAt, requestId }: Failure): string {
  const times = count === 1 ? "Once, on" : `${count} times, last on`;
  return `${times} ${adminInstant(lastAt)}${requestId ? `, request ${requestId}` : ""}`;
}

function wordsOf(brand: string, { area, kind, place, requestId, count, lastAt }: Failure): string {
  const found = requestId ? ` The log has it under the request id ${requestId}.` : "";
  const where = place ? ` at ${place}` : "";
  return `${brand}: ${kind} in ${area}${where}, ${timesWords(count)}, last ${new Date(lastAt).toISOString()}.${found}`;
}

const timesWords = (count: number) => (count === 1 ? "once" : `${count} times`);

function dayWords(instant: number, now: number): string {
  const date = dateInIndia(instant);
  const today = dateInIndia(now);
  if (date === today) return "today";
  return date === addDays(today, -1) ? "yesterday" : adminDate(date);
}
