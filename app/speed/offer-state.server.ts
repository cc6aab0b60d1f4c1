/** Says how long what is offered stays as it is, so that what is made of it can be kept. */

import { nextOfferChange } from "#app/availability/slots.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { nextHoldEnd, readOfferVersion } from "#db/queries/availability.server.ts";

type StateDeps = Pick<Deps, "db" | "env" | "now">;

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
  const made = new WeakMap<OfferState, { value: T }>();
  return (deps) => {
    const state = offerState(deps);
    let kept = made.get(state);
    if (!kept) {
      kept = { value: read(deps) };
      made.set(state, kept);
    }
    return kept.value;
  };
}
