/**
 * Caches the responses that are the same for all visitors who choose a time: the times of a day and
 * the free days of a month. They are valid until the offer changes.
 */
import type { IncomingMessage } from "node:http";
import { nextOfferChange } from "#app/availability/slots.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import { nextHoldEnd, readOfferVersion } from "#db/queries/availability.server.ts";

/** Bytes: more than all real queries together need. */
const MOST_BYTES = 2 * 2 ** 20;

/** The query of a call for free times; null for other calls and invalid queries. */
export type ReadOfferQuery = (path: string, url: string) => { counselor: string } | null;

const bookableNow = oncePerOffer(readBookable);

export function offerAnswers(deps: ReadDeps, readQuery: ReadOfferQuery) {
  const bodies = new Map<string, Buffer>();
  let bytes = 0;
  let known: OfferState | null = null;

  /** A request whose response may be cached; null for any other. `path` is canonical. */
  function ask({ method, url = "", headers }: IncomingMessage, path: string) {
    // A browser that holds a time is offered that time too.
    if (method !== "GET" || headers.cookie?.includes(OWN_BOOKING_COOKIE)) return null;
    const query = readQuery(path, url);
    const counselor = query && findCounselorByName(bookableNow(deps), query.counselor);
    if (!counselor) return null;
    const state = offerState(deps);
    if (state !== known) clear();
    known = state;
    // The same for every spelling of the query.
    const key = `${path} ${JSON.stringify({ ...query, counselor: counselor.key })}`;
    return { key, state, kept: bodies.get(key) ?? null };
  }

  /** Caches the response, unless the offer has changed since it was asked for. */
  function keep({ key, state }: NonNullable<ReturnType<typeof ask>>, body: Buffer): void {
    if (state !== known || state !== offerState(deps)) return;
    bytes += key.length + body.length;
    if (bytes > MOST_BYTES) clear();
    else bodies.set(key, body);
  }

  function clear(): void {
    bodies.clear();
    bytes = 0;
  }

  return { ask, keep };
}

export interface OfferState {
  /** Raised by every change of the rows, also by another process. */
  version: number;
  /** Milliseconds UTC. */
  since: number;
  /** Milliseconds UTC: when a hold ends, a start becomes too near to book, or a day begins. */
  endsAt: number;
}

const states = new WeakMap<ReadDeps["db"], OfferState>();

/** The same object as long as nothing has changed. */
export function offerState({ db, env, now }: ReadDeps): OfferState {
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
