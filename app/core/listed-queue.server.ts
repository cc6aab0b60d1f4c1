/**
 * A queue over what a query finds, with no columns for tries or leases: what failed is put off in
 * memory. Another process may list the same row or change it, so it is judged again in the
 * transaction of its work.
 */
import { type Db, inTransaction } from "#db/connection.server.ts";
import { BACKOFF } from "./backoff.ts";
import type { Deps } from "./deps.server.ts";
import type { Queue } from "./queue.server.ts";

export interface ListedQueue {
  name: string;
  /** Ids of what is due. */
  list(db: Db, which: Which): string[];
  /** In a transaction, in which the row is due. */
  work(tx: Db, id: string): void;
}

/** The first `limit` but for some, or one alone. */
export type Which = { limit: number; except: readonly string[] } | { only: string };

interface PutOff {
  attempts: number;
  until: number;
}

/** Rows that are put off, of each queue; more are tried in every run. */
const MOST_PUT_OFF = 1000;
/** Rows of one look. */
const MOST_LISTED = 100;

const putOffs = new WeakMap<Db, Map<string, Map<string, PutOff>>>();

/** For one run, in which each row is taken once at the most. */
export function listedQueue({ db }: Pick<Deps, "db">, listed: ListedQueue): Queue<string> {
  const waiting = waitingOf(db, listed.name);
  const seen = new Set<string>();
  return {
    name: listed.name,
    keyOf: (id) => id,
    attemptsOf: (id) => waiting.get(id)?.attempts ?? 0,
    backoff: BACKOFF.listed,
    leaseMs: 0,
    atOnce: MOST_LISTED,
    take({ now, limit }) {
      forgetOld(waiting, now);
      const later = [...waiting].filter(([, { until }]) => until > now);
      const except = [...seen, ...later.map(([id]) => id)];
      const ids = listed.list(db, { limit, except });
      for (const id of ids) seen.add(id);
      return ids;
    },
    work(id) {
      inTransaction(db, (tx) => {
        const [due] = listed.list(tx, { only: id });
        if (due) listed.work(tx, due);
      });
      waiting.delete(id);
    },
    putOff(_, id, { now, attempts, nextTryAt }) {
      const hasRoom = waiting.has(id) || waiting.size < MOST_PUT_OFF;
      if (hasRoom) waiting.set(id, { attempts, until: nextTryAt ?? now });
    },
  };
}

/** What was due long ago is off the list; none waits longer, but where the clock was set back. */
function forgetOld(waiting: Map<string, PutOff>, now: number): void {
  for (const [id, { until }] of waiting) {
    if (Math.abs(until - now) > BACKOFF.listed.longest) waiting.delete(id);
  }
}

function waitingOf(db: Db, name: string): Map<string, PutOff> {
  const ofFile = putOffs.get(db) ?? new Map<string, Map<string, PutOff>>();
  putOffs.set(db, ofFile);
  const known = ofFile.get(name) ?? new Map<string, PutOff>();
  ofFile.set(name, known);
  return known;
}
