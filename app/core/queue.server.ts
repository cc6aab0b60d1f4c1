/**
 * The one runner of all queues: takes due rows, works on them, and puts off those that fail. An error
 * puts off its own row only. Only an unavailable database ends a run with an error, so that the
 * worker's loop pauses; the row comes back when its lease ends.
 */
import { SECOND } from "#app/model/dates.ts";
import type { ProviderFault } from "#app/model/statuses.ts";
import { type Db, inTransaction, isUnavailable } from "#db/connection.server.ts";
import type { Which } from "#db/queries/reminders.server.ts";
import { BACKOFF, type Backoff, delay } from "./backoff.ts";
import type { Deps } from "./deps.server.ts";
import { noteFailure } from "./failures.server.ts";
import { OutsideError, ProviderError } from "./services.ts";

export interface Due {
  now: number;
  limit: number;
  leaseUntil: number;
  /** Keys of rows in hand here, even if their leases have ended because the clock was set ahead. */
  except: readonly string[];
}

/** What became of a row whose work threw. */
export interface Failed {
  now: number;
  error: unknown;
  /** Null unless the error came from the payment provider. */
  fault: ProviderFault | null;
  /** Failed tries, this one included. */
  attempts: number;
  /** From the queue's back-off; null if it is given up. */
  nextTryAt: number | null;
  /** Safe to store: only the class of an unexpected error, because its text may be personal. */
  lastError: string;
}

/**
 * How long a row is taken for, in milliseconds. Short, so that what a killed process had in hand is
 * taken up soon. A call may last longer: a second process then does the same, which changes nothing.
 */
export const LEASE_MS = 8 * SECOND;

export interface Queue<Row> {
  /** For the log and the list of failures. */
  name: string;
  /** Unique in the queue. Never logged: it may give access to a booking. */
  keyOf(row: Row): string;
  /** What the log says of the row, without anything that gives access. */
  about?(row: Row): object;
  /** Tries that failed before this one. */
  attemptsOf(row: Row): number;
  backoff: Backoff;
  leaseMs: number;
  /** Rows in one run; without it, until none is due. */
  most?: number;
  /** Rows worked on at the same time; 1 by default. With several, new rows are taken meanwhile. */
  atOnce?: number;
  /** Rows that this process is working on, for other callers than the run. */
  inHand?: Map<string, Promise<void>>;
  /**
   * Due rows, the most urgent first. Each is taken by a lease: in a column of its own, or by setting
   * its next try to `leaseUntil`. So no other process takes it, and it comes back if this one is killed.
   */
  take(due: Due): readonly Row[];
  /** Extends the lease, four times in `leaseMs` while the work lasts. False if it was lost. */
  renew?(row: Row, leaseUntil: number): boolean;
  /**
   * Does the row's work and writes its next state; throws if it could not. The signal is set when
   * the lease is lost, and some seconds after the stop.
   */
  work(row: Row, signal: AbortSignal): unknown;
  /** True if the row is not tried again. Without it, no row is given up. */
  givesUp?(row: Row, failed: Failed): boolean;
  /** Writes the failed try, in its own transaction; if it is given up, a person is notified there. */
  putOff(tx: Db, row: Row, failed: Failed): void;
}

type RunnerDeps = Pick<Deps, "db" | "now" | "log">;

/** How long rows in hand may take when the process stops. */
const GRACE_MS = 5_000;
/** How often new rows are looked for while others are in hand. */
const LOOK_MS = 250;
/** Every other row would fail the same way, so the rest waits for the next run. */
const CONCERNS_ALL: readonly ProviderFault[] = ["down", "rate", "config"];

/**
 * Works on due rows and returns how many were done. After `stop` is aborted, rows in hand finish and
 * no new ones are taken. Throws if the database is unavailable, once nothing is in hand.
 */
export async function runQueue<Row>(
  deps: RunnerDeps,
  queue: Queue<Row>,
  stop: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { atOnce = 1, most = Number.POSITIVE_INFINITY, inHand = new Map() } = queue;
  const grace = new AbortController();
  let graceTimer: NodeJS.Timeout | undefined;
  const onStop = () => {
    graceTimer = setTimeout(() => grace.abort(), GRACE_MS);
  };
  stop.addEventListener("abort", onStop, { once: true });
  let taken = 0;
  let done = 0;
  let isOver = false;
  const handle = async (row: Row) => {
    try {
      await workOn(deps, queue, row, grace.signal);
      done += 1;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (error instanceof ProviderError && CONCERNS_ALL.includes(error.fault)) isOver = true;
      putOff(deps, queue, row, error);
    }
  };
  try {
    while (true) {
      const room = Math.min(atOnce - inHand.size, most - taken);
      const limit = stop.aborted || isOver ? 0 : room;
      const now = deps.now();
      const due = { now, limit, leaseUntil: now + queue.leaseMs, except: [...inHand.keys()] };
      for (const row of limit > 0 ? queue.take(due) : []) {
        const key = queue.keyOf(row);
        const work = handle(row).finally(() => inHand.delete(key));
        inHand.set(key, work);
        taken += 1;
      }
      if (inHand.size === 0) return done;
      const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      await Promise.race([...inHand.values(), ...(atOnce > 1 ? [pause()] : [])]);
    }
  } finally {
    stop.removeEventListener("abort", onStop);
    await Promise.allSettled(inHand.values());
    clearTimeout(graceTimer);
  }
}

async function workOn<Row>(
  { now, log }: RunnerDeps,
  queue: Queue<Row>,
  row: Row,
  grace: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const renewed = () => {
    try {
      if (queue.renew?.(row, now() + queue.leaseMs) === false) lost.abort();
    } catch (error) {
      log.warn({ err: error, queue: queue.name }, "lease not renewed");
    }
  };
  const renewal = queue.renew && setInterval(renewed, queue.leaseMs / 4);
  try {
    await queue.work(row, AbortSignal.any([grace, lost.signal]));
  } finally {
    clearInterval(renewal);
  }
}

/** Throws if the database is unavailable; a row that cannot be written waits for the end of its lease. */
function putOff<Row>(deps: RunnerDeps, queue: Queue<Row>, row: Row, error: unknown): void {
  const now = deps.now();
  const attempts = queue.attemptsOf(row) + 1;
  const failed: Failed = {
    now,
    error,
    fault: error instanceof ProviderError ? error.fault : null,
    attempts,
    nextTryAt: now + delay(attempts, queue.backoff, Math.random()),
    lastError: wordsOf(error),
  };
  try {
    if (queue.givesUp?.(row, failed)) failed.nextTryAt = null;
    report(deps, queue, row, failed);
    inTransaction(deps.db, (tx) => queue.putOff(tx, row, failed));
  } catch (again) {
    if (isUnavailable(again)) throw again;
    deps.log.error({ err: again, queue: queue.name }, "a row could not be put off");
    noteFailure(deps, again, { area: `queue: ${queue.name}` });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof OutsideError) return `${error.code}: ${error.message}`;
  return `Could not be worked on: ${error instanceof Error ? error.name : "no error"}`;
}

/** An outside service's error is logged by its code only; anything else is a bug and counted as one. */
function report<Row>(deps: RunnerDeps, queue: Queue<Row>, row: Row, failed: Failed): void {
  const { error, attempts, nextTryAt } = failed;
  const givenUp = nextTryAt === null;
  const line = { queue: queue.name, ...queue.about?.(row), attempts, givenUp };
  if (error instanceof OutsideError) {
    const level = error.needsPerson ? "error" : "warn";
    deps.log[level]({ ...line, code: error.code }, "a row was not done");
  } else {
    deps.log.error({ ...line, err: error }, "a row's work failed");
    noteFailure(deps, error, { area: `queue: ${queue.name}` });
  }
}

export interface ListedQueue {
  name: string;
  list(db: Db, which: Which): string[];
  work(tx: Db, id: string): void;
}

interface PutOff {
  attempts: number;
  until: number;
}

/** Rows of each queue that can be put off; further ones are tried in every run. */
const MOST_PUT_OFF = 1000;
const MOST_LISTED = 100;

const putOffs = new WeakMap<Db, Map<string, Map<string, PutOff>>>();

/** For one run, which takes each row at most once. */
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

/** Drops rows that were due long ago, and those that would wait too long because the clock was set back. */
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
