/**
 * Queues requests by client and limits the memory of their bodies. A few requests of each client are
 * processed at once, the others wait in its own queue; the queues take turns, at most one request
 * per turn of the event loop. When memory or places run short, slow or large requests are dismissed.
 */
import type { ServerResponse } from "node:http";
import { inTurn, type Turn } from "#app/core/work-queue.server.ts";
import { type Failure, failure, type Outcome, success, UNAVAILABLE } from "#app/model/outcome.ts";

/** Requests processed at once, of one client and of all. */
const AT_ONCE_OF_CLIENT = 4;
const AT_ONCE = 4;
/** Being processed or waiting, of one client: many visitors share a mobile carrier's address. */
const MOST_REQUESTS = AT_ONCE_OF_CLIENT + 300;
const MIB = 2 ** 20;
/** Bytes of bodies that wait to be processed, of one client and of all. */
const MOST_BYTES_OF_CLIENT = 8 * MIB;
const MOST_BYTES = 48 * MIB;
/** Turns of the event loop for which a start waits at most while further requests arrive. */
const MOST_TURNS_TO_READ = 16;
/** Milliseconds since its start after which a request may be dismissed while its response is sent. */
const SENDING_MS = 10_000;

const TOO_MANY_AT_ONCE = failure(
  "rate_limited",
  "Too many requests at once from your network. Please try again in a moment.",
  { retryAfter: 5 },
);
const GONE = failure("request_timeout", "The connection was closed.");

interface Waiting {
  /** True between two slices of its work. */
  isBegun: boolean;
  /** Ends the waiting: with null when its turn has come, else with a refusal. */
  end(refusal: Failure | null): void;
}

interface Client {
  places: Set<Place>;
  /** Requests being processed, including those that wait for a thread or send a long response. */
  atWork: number;
  waiting: Map<Place, Waiting>;
  bytes: number;
}

export class Admission {
  readonly #isLimited: boolean;
  readonly #clients = new Map<string, Client>();
  /** Clients with a waiting request, in the order of their turns. */
  readonly #inTurn = new Set<Client>();
  #onLoop = 0;
  #bytes = 0;
  /** True while the next start is scheduled. */
  #isDue = false;
  /** True if a request that queues has entered since the next start was scheduled. */
  #hasEntered = false;

  /** Without `rateLimit` only the total of bytes is limited. */
  constructor({ rateLimit }: { rateLimit: boolean }) {
    this.#isLimited = rateLimit;
  }

  /**
   * A place for a request, until its response is sent or its connection ends. `key` names the client;
   * an exempt request does not queue. Refusals: `rate_limited`; `request_timeout` if the client has
   * disconnected.
   */
  enter(key: string, response: ServerResponse, isExempt = false): Outcome<Place> {
    if (response.destroyed) return GONE;
    const client = this.#clients.get(key) ?? {
      places: new Set(),
      atWork: 0,
      waiting: new Map(),
      bytes: 0,
    };
    const { places } = client;
    if (this.#isLimited && places.size >= MOST_REQUESTS && !dismissSlowest(places)) {
      return TOO_MANY_AT_ONCE;
    }
    this.#clients.set(key, client);
    const queues = this.#isLimited && !isExempt;
    if (queues) this.#hasEntered = true;
    const place = new Place(this, client, response, queues);
    places.add(place);
    response.once("close", () => {
      place.leave();
      places.delete(place);
      if (places.size === 0 && this.#clients.get(key) === client) this.#clients.delete(key);
    });
    return success(place);
  }

  wait(client: Client, place: Place, isBegun: boolean): Promise<Failure | null> {
    return new Promise((end) => {
      client.waiting.set(place, { isBegun, end });
      this.#inTurn.add(client);
      this.#beginSoon();
    });
  }

  /** False if the place was not waiting. */
  endWaiting(client: Client, place: Place, refusal: Failure): boolean {
    const waiting = client.waiting.get(place);
    client.waiting.delete(place);
    if (client.waiting.size === 0) this.#inTurn.delete(client);
    waiting?.end(refusal);
    return waiting !== undefined;
  }

  /** Adds to the counts of requests on the event loop and of the client; both may be negative. */
  countWork(client: Client, onLoop: number, ofClient: number): void {
    this.#onLoop += onLoop;
    client.atWork += ofClient;
    if (onLoop < 0 || ofClient < 0) this.#beginSoon();
  }

  countBytes(client: Client, bytes: number): void {
    client.bytes += bytes;
    this.#bytes += bytes;
    if (bytes <= 0) return;
    const most = this.#isLimited ? MOST_BYTES_OF_CLIENT : MOST_BYTES;
    while (client.bytes > most) largest(client.places).dismiss(UNAVAILABLE);
    while (this.#bytes > MOST_BYTES) {
      largest(largest(this.#clients.values()).places).dismiss(UNAVAILABLE);
    }
  }

  /**
   * Starts one request per turn of the event loop, so that new requests are read in between. Node
   * accepts one connection per turn: while they arrive, a start waits for some turns, so that
   * whoever comes last does not wait for the work of all before.
   */
  #beginSoon(turnsLeft = MOST_TURNS_TO_READ): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#hasEntered = false;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#hasEntered && turnsLeft > 0) this.#beginSoon(turnsLeft - 1);
      else if (this.#onLoop < AT_ONCE && this.#beginNext()) this.#beginSoon();
    });
  }

  #beginNext(): boolean {
    for (const client of this.#inTurn) {
      const mayBegin = client.atWork < AT_ONCE_OF_CLIENT;
      for (const [place, { isBegun, end }] of client.waiting) {
        if (!isBegun && !mayBegin) continue;
        client.waiting.delete(place);
        this.#inTurn.delete(client);
        if (client.waiting.size > 0) this.#inTurn.add(client);
        end(null);
        return true;
      }
    }
    return false;
  }
}

/** Dismisses the oldest request that waits for its client; false if there is none. */
function dismissSlowest(places: Set<Place>): boolean {
  const slowest = [...places].find((place) => place.waitsForClient);
  if (!slowest) return false;
  places.delete(slowest);
  slowest.dismiss();
  return true;
}

function largest<Holder extends { bytes: number }>(holders: Iterable<Holder>): Holder {
  return [...holders].reduce((most, one) => (one.bytes > most.bytes ? one : most));
}

export class Place implements Turn {
  /** Ends the reading of the body; null unless the body is being read. */
  endReading: ((refusal?: Failure) => void) | null = null;
  bytes = 0;
  readonly #since = performance.now();
  readonly #all: Admission;
  readonly #client: Client;
  readonly #response: ServerResponse;
  readonly #isLimited: boolean;
  #isGone = false;
  /** Created on first use. */
  #gone: AbortController | null = null;
  #isAtWork = false;
  #isSending = false;
  /** Pauses under way: all, and those during which it does not count for its client. */
  #elsewhere = 0;
  #uncounted = 0;
  /** Its share of the counts of all and of its client: 0 or 1. */
  #onLoop = 0;
  #ofClient = 0;

  constructor(all: Admission, client: Client, response: ServerResponse, isLimited: boolean) {
    this.#all = all;
    this.#client = client;
    this.#response = response;
    this.#isLimited = isLimited;
  }

  get signal(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#isGone) this.#gone.abort();
    return this.#gone.signal;
  }

  /** True while the client still sends the body, or is slow to read the response. */
  get waitsForClient(): boolean {
    const isOld = performance.now() - this.#since > SENDING_MS;
    return this.endReading !== null || (isOld && this.#response.headersSent);
  }

  /**
   * Runs `job` when its turn comes. Refusals: `unavailable` if memory runs short; `request_timeout` if
   * the client has disconnected.
   */
  async work<T>(job: () => Promise<T>): Promise<Outcome<T>> {
    const refusal = this.#isLimited ? await this.#turn(false) : null;
    this.hold(0);
    if (refusal) return refusal;
    this.#isAtWork = this.#isLimited;
    this.#count();
    try {
      return success(await inTurn(this.#isLimited ? this : undefined, job));
    } finally {
      this.#isAtWork = false;
      this.#count();
    }
  }

  /** Counts the request for its client until its long response is sent or the client disconnects. */
  sendsMuch(): void {
    this.#isSending = !this.#isGone;
  }

  pause(ofClient: boolean): () => void {
    const add = (more: number) => {
      this.#elsewhere += more;
      if (ofClient) this.#uncounted += more;
      this.#count();
    };
    add(1);
    return () => add(-1);
  }

  async again(): Promise<void> {
    const resume = this.pause(false);
    await this.#turn(true);
    resume();
    this.signal.throwIfAborted();
  }

  /** Sets the bytes that its body takes until it is processed. This may dismiss any request. */
  hold(bytes: number): void {
    const more = bytes - this.bytes;
    this.bytes = bytes;
    this.#all.countBytes(this.#client, more);
  }

  dismiss(refusal?: Failure): void {
    if (this.endReading) {
      this.endReading(refusal);
      return;
    }
    this.hold(0);
    const waited = this.#all.endWaiting(this.#client, this, refusal ?? GONE);
    if (!waited) this.#response.destroy();
  }

  leave(): void {
    if (!this.#response.writableFinished) {
      this.#isGone = true;
      this.#gone?.abort();
    }
    this.endReading = null;
    this.#isSending = false;
    this.hold(0);
    this.#all.endWaiting(this.#client, this, GONE);
    this.#count();
  }

  async #turn(isBegun: boolean): Promise<Failure | null> {
    return this.#isGone ? GONE : this.#all.wait(this.#client, this, isBegun);
  }

  #count(): void {
    const ofClient = (this.#isAtWork && this.#uncounted === 0) || this.#isSending ? 1 : 0;
    const onLoop = this.#isAtWork && this.#elsewhere === 0 ? 1 : 0;
    this.#all.countWork(this.#client, onLoop - this.#onLoop, ofClient - this.#ofClient);
    this.#onLoop = onLoop;
    this.#ofClient = ofClient;
  }
}
