/**
 * Caches the responses that are the same for all visitors who choose a time: the times of a day and
 * the free days of a month. They are valid until the offer changes.
 */
import type { IncomingMessage } from "node:http";
import { nextOfferChange } from "#app/availability/slots.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { type Catalogue, findCounselorByName } from "#app/model/catalogue.ts";
import { nextHoldEnd, readOfferVersion } from "#db/queries/availability.server.ts";

/** Bytes: more than all real queries together need. */
const MOST_BYTES = 2 * 2 ** 20;

/** The query of a call for free times; null for other calls and invalid queries. */
export type ReadOfferQuery = (path: string, url: string) => { counselor: string } | null;

/** A request whose response may be cached. */
export interface Question {
  /** The same for every spelling of the query. */
  key: string;
  /** Those of the offer when it was asked. */
  answers: Answers;
  kept: Buffer | null;
}

interface Answers {
  bookable: Catalogue;
  /** By key. */
  bodies: Map<string, Buffer>;
  bytes: number;
}

export class OfferAnswers {
  readonly #deps: ReadDeps;
  readonly #readQuery: ReadOfferQuery;
  readonly #answersNow = oncePerOffer(
    (deps: ReadDeps): Answers => ({ bookable: readBookable(deps), bodies: new Map(), bytes: 0 }),
  );

  constructor(deps: ReadDeps, readQuery: ReadOfferQuery) {
    this.#deps = deps;
    this.#readQuery = readQuery;
  }

  /** Null if the response may not be cached. `path` is canonical. */
  ask({ method, url = "", headers }: IncomingMessage, path: string): Question | null {
    // A browser that holds a time is offered that time too.
    if (method !== "GET" || headers.cookie?.includes(OWN_BOOKING_COOKIE)) return null;
    const query = this.#readQuery(path, url);
    if (!query) return null;
    const answers = this.#answersNow(this.#deps);
    const counselor = findCounselorByName(answers.bookable, query.counselor);
    if (!counselor) return null;
    const key = `${path} ${JSON.stringify({ ...query, counselor: counselor.key })}`;
    return { key, answers, kept: answers.bodies.get(key) ?? null };
  }

  /** Caches the response. If the offer has changed since it was asked for, nobody is given it. */
  keep({ key, answers }: Question, body: Buffer): void {
    answers.bytes += key.length + body.length;
    answers.bodies.set(key, body);
    if (answers.bytes <= MOST_BYTES) return;
    answers.bodies.clear();
    answers.bytes = 0;
  }
}

interface OfferState {
  /** Raised by every change of the rows, also by another process. */
  version: number;
  since: number;
  /** When a hold ends, a start becomes too near to book, or a day begins. */
  endsAt: number;
}

const states = new WeakMap<ReadDeps["db"], OfferState>();

/** The same object as long as nothing has changed. */
function offerState({ db, env, now }: ReadDeps): OfferState {
  const at = now();
  const version = readOfferVersion(db);
  const known = states.get(db);
  if (known?.version === version && known.since <= at && at < known.endsAt) return known;
  const holdEnd = nextHoldEnd(db, at) ?? Number.POSITIVE_INFINITY;
  const state = { version, since: at, endsAt: Math.min(nextOfferChange(env, at), holdEnd) };
  states.set(db, state);
  return state;
}

/** Calls `read`, which must depend on nothing else, once for each state of the offer. */
export function oncePerOffer<T, D extends ReadDeps>(read: (deps: D) => T): (deps: D) => T {
  const made = new WeakMap<OfferState, T>();
  return (deps) => {
    const state = offerState(deps);
    if (!made.has(state)) made.set(state, read(deps));
    return made.get(state)!;
  };
}
