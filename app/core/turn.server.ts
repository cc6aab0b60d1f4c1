/** What a request says of its place among those that are worked on, from anywhere below it. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

export interface Turn {
  /** Set when who asked has hung up. */
  readonly signal: AbortSignal;
  /** Gives the place up, until what it returns is called. With `ofClient` the client's own too. */
  pause(ofClient: boolean): () => void;
  /** Lets the requests of other clients go first, each for one turn. */
  again(): Promise<void>;
}

/** Empty in the background, and where requests are not limited. */
const current = new AsyncLocalStorage<Turn | undefined>();

export function inTurn<T>(turn: Turn | undefined, work: () => T): T {
  return current.run(turn, work);
}

/** Of the request that is worked on; undefined in the background. */
export function callerSignal(): AbortSignal | undefined {
  return current.getStore()?.signal;
}

/** Waits for work of another thread or process; the request takes no place here meanwhile. */
export async function elsewhere<T>(work: Promise<T>, ofClient = false): Promise<T> {
  const resume = current.getStore()?.pause(ofClient);
  try {
    return await work;
  } finally {
    resume?.();
  }
}

/** Between two slices of long work on the event loop. */
export async function betweenSlices(): Promise<void> {
  const turn = current.getStore();
  await (turn ? turn.again() : setImmediate());
}
