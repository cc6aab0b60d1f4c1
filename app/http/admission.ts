/**
 * The order in which clients' requests are admitted, and how much memory their bodies may take:
 * each client has a few requests at work and a queue of its own; the queues take turns, one request
 * in each turn of the event loop. When room runs short, requests with slow or large bodies are
 * dismissed.
 */
import type { ServerResponse } from "node:http";
import { inTurn, type Turn } from "#app/core/work-queue.server.ts";
import { type Failure, failure, type Outcome, success, UNAVAILABLE } from "#app/model/outcome.ts";

/** Requests of one client at work, and of all. */
const AT_ONCE_OF_CLIENT = 4;
const AT_ONCE = 4;
/** At work and waiting. Many share an address behind a mobile carrier; theirs are short. */
const MOST_REQUESTS = AT_ONCE_OF_CLIENT + 300;
const MIB = 2 ** 20;
/** Bytes that bodies may hold until they are worked on: those of one client, and all. */
const MOST_BYTES_OF_CLIENT = 8 * MIB;
const MOST_BYTES = 48 * MIB;
/** Milliseconds from its begin after which a request whose answer is being fetched may give way. */
const FETCHING_MS = 10_000;

const TOO_MANY_AT_ONCE = failure(
  "rate_limited",
  "Too many requests at once from your network. Please try again in a moment.",
  { retryAfter: 5 },
);
const GONE = failure("request_timeout", "The connection was closed.");

interface Waiting {
  /** At work already, between two slices. */
  isBegun: boolean;
  /** Ends the waiting: the turn has come (null), or with a refusal. */
  end(refusal: Failure | null): void;
}

interface Client {
  places: Set<Place>;
  /** Requests at work, those that wait for a thread or send a long answer included. */
  atWork: number;
  waiting: Map<Place, Waiting>;
  bytes: number;
}

export class Admission {
  readonly #isLimited: boolean;
  readonly #clients = new Map<string, Client>();
  /** Clients of whom a request waits, in the order of their turns. */
  readonly #inTurn = new Set<Client>();
  #onLoop = 0;
  #bytes = 0;
  /** Until the event loop has come round after a request was begun. */
  #isDue = false;

  /** Without `rateLimit` only the bytes of all are bounded. */
  constructor({ rateLimit }: { rateLimit: boolean }) {
    this.#isLimited = rateLimit;
  }

  /**
   * A place for a request, until its answer is sent or its connection ends. `key` names the client;
   * a request with `isApart` does not queue. Refusals: `rate_limited`; `request_timeout` if the
   * client has hung up.
   */
  enter(key: string, response: ServerResponse, isApart = false): Outcome<Place> {
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
    const place = new Place(this, client, response, this.#isLimited && !isApart);
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

  /** False if the place does not wait. */
  endWaiting(client: Client, place: Place, refusal: Failure): boolean {
    const waiting = client.waiting.get(place);
    client.waiting.delete(place);
    if (client.waiting.size === 0) this.#inTurn.delete(client);
    waiting?.end(refusal);
    return waiting !== undefined;
  }

  /** Of so many requests more or fewer, for the event loop and for the client. */
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

  /** One in each turn of the event loop, so that what others send meanwhile is seen. */
  #beginSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#onLoop < AT_ONCE && this.#beginNext()) this.#beginSoon();
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

/** True if a request that waits for its client gave up its place. The oldest come first. */
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
  /** Ends the reading of its body, while that is under way. */
  endReading: ((refusal?: Failure) => void) | null = null;
  bytes = 0;
  readonly #since = performance.now();
  readonly #all: Admission;
  readonly #client: Client;
  readonly #response: ServerResponse;
  readonly #isLimited: boolean;
  #isGone = false;
  /** Made when it is asked for. */
  #gone: AbortController | null = null;
  #isAtWork = false;
  #isSending = false;
  /**
   * Pieces of work elsewhere that it waits for, and how many of them do not count for its client.
   */
  #elsewhere = 0;
  #uncounted = 0;
  /** What it has added to the counts of all and of its client. */
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

  /** True while the client still sends its body, or is slow to fetch the answer. */
  get waitsForClient(): boolean {
    const isOld = performance.now() - this.#since > FETCHING_MS;
    return this.endReading !== null || (isOld && this.#response.headersSent);
  }

  /** What `job` makes at its turn. Refusals: `unavailable` for want of room; one for who is gone. */
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

  /** A long answer takes its client's place until it is sent; none of a client that has hung up. */
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

  /** What was read holds so many bytes until it is worked on. It may be refused for that. */
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
