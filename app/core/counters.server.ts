/**
 * Limits by key, kept in memory: one process serves, and an attempt costs no database write. A
 * restart clears all counts. The memory is bounded: when it is full, a new key shares a cell with
 * its network, then with anybody, and a full cell refuses all who share it.
 */
import { randomInt } from "node:crypto";
import { type Failure, failure } from "#app/model/outcome.ts";
import { networksOf } from "./client-address.ts";
import type { Env } from "./env.server.ts";

export interface Limit {
  points: number;
  /** Milliseconds; the window opens with the first try. */
  windowMs: number;
}

/** What is counted: tries from a client address, tries about a name or id, or both together. */
export interface Key {
  from?: string;
  about?: string;
}

interface Cell {
  count: number;
  /** Milliseconds, on the same clock as `now`. */
  endsAt: number;
}

/** Cells for single keys, and as many for small and for large networks: 6 MB a counter at most. */
const ROOM = 10_000;
/** A network's further keys are spread over this many cells, so that a neighbour fills only one. */
const CELLS_OF_NETWORK = 8;
const LAST_CELLS = 4096;
const LAST = 3;

/** Random, so that nobody can choose keys that share a cell with another's. */
const SEED = randomInt(2 ** 32);

/** Within a window no key gets more than `points` tries through, whoever else is counted. */
export class Counter {
  readonly #limit: Limit;
  readonly #room: number;
  /** Of single keys, small networks, large networks, and the last: each in the order they end. */
  readonly #levels = Array.from({ length: LAST + 1 }, () => new Map<string, Cell>());

  constructor(limit: Limit, room = ROOM) {
    this.#limit = limit;
    this.#room = room;
  }

  /** Counts a try and returns its cell, or the milliseconds until there is room for one. */
  take(key: Key, now: number): Cell | { msBeforeNext: number } {
    const names = namesOf(key);
    const cell = this.#find(names, now) ?? this.#open(names, now);
    if (cell.count >= this.#limit.points) return { msBeforeNext: cell.endsAt - now };
    cell.count += 1;
    return cell;
  }

  /** Forgets the tries of a key, unless it shares a cell with others. */
  forget(key: Key): void {
    this.#levels[0]!.delete(namesOf(key)[0]!);
  }

  /** Cells kept, live or ended. */
  get size(): number {
    return this.#levels.reduce((sum, cells) => sum + cells.size, 0);
  }

  /** A live cell that may have counted the key still counts it: no key has two cells at a time. */
  #find(names: readonly (string | null)[], now: number): Cell | null {
    for (let level = 0; level <= LAST; level++) {
      const cell = this.#levels[level]!.get(names[level]!);
      if (cell && this.#isLive(cell, now)) return cell;
    }
    return null;
  }

  #open(names: readonly (string | null)[], now: number): Cell {
    for (const cells of this.#levels) this.#dropEnded(cells, now);
    const level = this.#levels.findIndex(
      (cells, at) => names[at] !== null && (cells.size < this.#room || at === LAST),
    );
    const cell = { count: 0, endsAt: now + this.#limit.windowMs };
    this.#levels[level]!.set(names[level]!, cell);
    return cell;
  }

  #dropEnded(cells: Map<string, Cell>, now: number): void {
    for (const [name, cell] of cells) {
      if (this.#isLive(cell, now)) return;
      cells.delete(name);
    }
  }

  /** After the clock was set back, a cell that would last too long has ended. */
  #isLive({ endsAt }: Cell, now: number): boolean {
    return now < endsAt && endsAt <= now + this.#limit.windowMs;
  }
}

/** The key's name on each level; null where it has none. */
function namesOf({ from, about = "" }: Key): (string | null)[] {
  const [own = "", ...networks] = from === undefined ? [] : networksOf(from);
  const name = `${own} ${about}`;
  const spread = hash(name);
  const cellOf = (network: string | undefined) =>
    network === undefined ? null : `${network} ${spread % CELLS_OF_NETWORK}`;
  return [name, cellOf(networks[0]), cellOf(networks[1]), `${spread % LAST_CELLS}`];
}

/** FNV-1a. */
function hash(text: string): number {
  let sum = SEED;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16_777_619);
  return (sum ^ (sum >>> 16)) >>> 0;
}

/** One set per configuration, so that two apps in one process count separately. */
export function countersByEnv<Name extends string>(
  limits: Readonly<Record<Name, Limit>>,
): (env: Env) => Record<Name, Counter> {
  const known = new WeakMap<Env, Record<Name, Counter>>();
  const made = () => {
    const entries = Object.entries<Limit>(limits).map(([name, one]) => [name, new Counter(one)]);
    return Object.fromEntries(entries) as Record<Name, Counter>;
  };
  return (env) => {
    const counters = known.get(env) ?? made();
    known.set(env, counters);
    return counters;
  };
}

export interface Taken {
  giveBack(): void;
}

/**
 * Counts one try with each counter, or with none if any refuses. `now` in milliseconds. Refusal:
 * `rate_limited`.
 */
export function takeEach(
  wanted: readonly (readonly [Counter, Key])[],
  now: number,
  message: string,
): Taken | Failure {
  const cells: Cell[] = [];
  const giveBack = () => {
    for (const cell of cells) cell.count -= 1;
  };
  for (const [counter, key] of wanted) {
    const taken = counter.take(key, now);
    if ("msBeforeNext" in taken) {
      giveBack();
      return failure("rate_limited", message, {
        retryAfter: Math.max(1, taken.msBeforeNext / 1000),
      });
    }
    cells.push(taken);
  }
  return { giveBack };
}

/**
 * Like `takeEach` with one counter, for a try that is never given back. Counts nothing while limits
 * are lifted.
 */
export function takeOne(
  { env, now }: { env: Pick<Env, "rateLimit">; now: () => number },
  counter: Counter,
  key: Key,
  message: string,
): Failure | null {
  if (!env.rateLimit) return null;
  const taken = takeEach([[counter, key]], now(), message);
  return "ok" in taken ? taken : null;
}
