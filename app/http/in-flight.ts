/**
 * What clients have under way, so that one who brings it slowly, or much of it, takes no room from
 * the others: where it gets tight, who has most gives way, and of theirs the slowest or the largest.
 */
import type { ServerResponse } from "node:http";
import { type Failure, failure, UNAVAILABLE } from "#app/model/outcome.ts";

/** Requests of one client. Many share an address behind a mobile carrier; theirs are short. */
const MOST_REQUESTS = 300;
const MIB = 2 ** 20;
/** Bytes that bodies being read may hold: those of one client, and all. */
const MOST_BYTES_OF_CLIENT = 8 * MIB;
const MOST_BYTES = 48 * MIB;
/** Milliseconds from its begin after which a request whose answer is being fetched may give way. */
const FETCHING_MS = 10_000;

export const TOO_MANY_AT_ONCE = failure(
  "rate_limited",
  "Too many requests at once from your network. Please try again in a moment.",
  { retryAfter: 5 },
);

interface Client {
  places: Set<Place>;
  /** Held by bodies being read. */
  bytes: number;
}

export class InFlight {
  readonly #clients = new Map<string, Client>();
  readonly #isLimited: boolean;
  #bytes = 0;

  /** Without `rateLimit` only the bytes of all are bounded. */
  constructor({ rateLimit }: { rateLimit: boolean }) {
    this.#isLimited = rateLimit;
  }

  /** A place for a request, until its answer is sent or its connection ends. */
  take(key: string, response: ServerResponse): Place {
    let client = this.#clients.get(key);
    if (!client) {
      client = { places: new Set(), bytes: 0 };
      this.#clients.set(key, client);
    }
    const { places } = client;
    const isOneTooMany = this.#isLimited && places.size >= MOST_REQUESTS && !dismissSlowest(places);
    const place = new Place(this, client, response, isOneTooMany);
    places.add(place);
    response.once("close", () => {
      place.endReading();
      places.delete(place);
      if (places.size === 0 && this.#clients.get(key) === client) this.#clients.delete(key);
    });
    return place;
  }

  count(client: Client, bytes: number): void {
    client.bytes += bytes;
    this.#bytes += bytes;
  }

  makeRoom(client: Client): void {
    const most = this.#isLimited ? MOST_BYTES_OF_CLIENT : MOST_BYTES;
    while (client.bytes > most) dismissLargest(client.places);
    while (this.#bytes > MOST_BYTES) dismissLargest(mostBytes(this.#clients.values()).places);
  }
}

/** True if a request that waits for its client gave up its place. The oldest come first. */
function dismissSlowest(places: Set<Place>): boolean {
  for (const place of places) {
    if (place.waitsForClient) {
      places.delete(place);
      place.dismiss();
      return true;
    }
  }
  return false;
}

function dismissLargest(places: Set<Place>): void {
  mostBytes(places).dismiss(UNAVAILABLE);
}

function mostBytes<Holder extends { bytes: number }>(holders: Iterable<Holder>): Holder {
  return [...holders].reduce((most, one) => (one.bytes > most.bytes ? one : most));
}

/** Of one request. */
export class Place {
  readonly isOneTooMany: boolean;
  bytes = 0;
  readonly #since = performance.now();
  readonly #all: InFlight;
  readonly #client: Client;
  readonly #response: ServerResponse;
  #refuse: ((refusal?: Failure) => void) | null = null;

  constructor(all: InFlight, client: Client, response: ServerResponse, isOneTooMany: boolean) {
    this.#all = all;
    this.#client = client;
    this.#response = response;
    this.isOneTooMany = isOneTooMany;
  }

  /** For the rest of its body, or for long to fetch its answer. */
  get waitsForClient(): boolean {
    const isOld = performance.now() - this.#since > FETCHING_MS;
    return this.#refuse !== null || (isOld && this.#response.headersSent);
  }

  /** `refuse` ends the reading. */
  beginReading(refuse: (refusal?: Failure) => void): void {
    this.#refuse = refuse;
  }

  /** The body being read now holds so many bytes. It may be refused for that. */
  hold(bytes: number): void {
    const more = bytes - this.bytes;
    this.bytes = bytes;
    this.#all.count(this.#client, more);
    this.#all.makeRoom(this.#client);
  }

  endReading(): void {
    this.#refuse = null;
    this.#all.count(this.#client, -this.bytes);
    this.bytes = 0;
  }

  dismiss(refusal?: Failure): void {
    if (this.#refuse) this.#refuse(refusal);
    else this.#response.destroy();
  }
}
