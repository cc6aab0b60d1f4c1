/**
 * What every visitor needs while choosing, the times of a day and the free days of a month, is the same
 * for all. It is kept until what is offered changes, so thousands of visitors in an hour ask the database
 * once for each.
 */
import type { IncomingMessage } from "node:http";
import { nextOfferChange } from "#app/availability/slots.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import { nextHoldEnd, readOfferVersion } from "#db/queries/availability.server.ts";

/** Bytes: more than the captains, packages and days of a season come to; anything beyond is made up. */
const MOST_BYTES = 2 * 2 ** 20;

/** The query of a call for free times as its route reads it; null: it is none, or is refused. */
export type ReadOfferQuery = (path: string, url: string) => { counselor: string } | null;

const bookableNow = oncePerOffer(readBookable);

/** A question whose answer may be kept. */
export interface Question {
  /** The same for every spelling of what is asked. */
  key: string;
  /** What the answer is about. */
  state: OfferState;
  kept: Buffer | null;
}

export class OfferAnswers {
  readonly #deps: StateDeps;
  readonly #readQuery: ReadOfferQuery;
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;
  #state: OfferState | null = null;

  constructor(deps: StateDeps, readQuery: ReadOfferQuery) {
    this.#deps = deps;
    this.#readQuery = readQuery;
  }

  /** Null for any other request. `path` as `canonicalPath` spells it. */
  ask({ method, url = "", headers }: IncomingMessage, path: string): Question | null {
    // Who holds a time is offered it too.
    if (method !== "GET" || headers.cookie?.includes(OWN_BOOKING_COOKIE)) return null;
    const query = this.#readQuery(path, url);
    const counselor = query && findCounselorByName(bookableNow(this.#deps), query.counselor);
    if (!counselor) return null;
    const state = offerState(this.#deps);
    if (state !== this.#state) {
      this.#clear();
      this.#state = state;
    }
    const key = `${path} ${JSON.stringify({ ...query, counselor: counselor.key })}`;
    return { key, state, kept: this.#bodies.get(key) ?? null };
  }

  /** An answer that was overtaken by a change is not kept. */
  keep({ key, state }: Question, body: Buffer): void {
    if (state !== this.#state || state !== offerState(this.#deps)) return;
    this.#bytes += key.length + body.length;
    if (this.#bytes > MOST_BYTES) this.#clear();
    else this.#bodies.set(key, body);
  }

  #clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
  }
}

export type StateDeps = ReadDeps;

export interface OfferState {
  /** Of the rows: raised by every change, also by another process. */
  version: number;
  /** Milliseconds UTC. */
  since: number;
  /** When a hold ends, a start falls under the notice, or a day begins. */
  endsAt: number;
}

const states = new WeakMap<StateDeps["db"], OfferState>();

/** The same object as long as nothing has changed. */
export function offerState({ db, env, now }: StateDeps): OfferState {
  const at = now();
  const version = readOfferVersion(db);
  const known = states.get(db);
  if (known?.version === version && known.since <= at && at < known.endsAt) return known;
  const holdEnd = nextHoldEnd(db, at) ?? Number.POSITIVE_INFINITY;
  const state = { version, since: at, endsAt: Math.min(nextOfferChange(env, at), holdEnd) };
  states.set(db, state);
  return state;
}

/** `read` once for each state of the offer; it must depend on nothing else. */
export function oncePerOffer<T, D extends StateDeps>(read: (deps: D) => T): (deps: D) => T {
  const made = new WeakMap<OfferState, T>();
  return (deps) => {
    const state = offerState(deps);
    if (!made.has(state)) made.set(state, read(deps));
    return made.get(state)!;
  };
}
