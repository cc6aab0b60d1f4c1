/**
 * Keeps the answers that every visitor needs while choosing: the times of a day, the free days of
 * a month. They are the same for all, so thousands of visitors in an hour ask the database once for
 * each.
 */
import type { IncomingMessage } from "node:http";

import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type OfferState, offerState } from "./offer-state.server.ts";

const PATHS = new Set(["/api/slots", "/api/availability"]);

/** Bytes: more than the captains, packages and days of a season come to; anything beyond is made up. */
const MOST_BYTES = 2 * 2 ** 20;

/** A question whose answer may be kept. */
export interface Question {
  /** The address with its query. */
  url: string;
  /** What the answer is about. */
  state: OfferState;
  kept: Buffer | null;
}

export class OfferAnswers {
  readonly #deps: Pick<Deps, "db" | "env" | "now">;
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;
  #state: OfferState | null = null;

  constructor(deps: Pick<Deps, "db" | "env" | "now">) {
    this.#deps = deps;
  }

  /** Null for any other request. `path` as `canonicalPath` spells it. */
  ask({ method, url = "", headers }: IncomingMessage, path: string): Question | null {
    if (method !== "GET" || !PATHS.has(path)) return null;
    // Who holds a time is offered it too.
    if (headers.cookie?.includes(OWN_BOOKING_COOKIE)) return null;
    const state = offerState(this.#deps);
    if (state !== this.#state) {
      this.#clear();
      this.#state = state;
    }
    return { url, state, kept: this.#bodies.get(url) ?? null };
  }

  /** An answer that was overtaken by a change is not kept. */
  keep({ url, state }: Question, body: Buffer): void {
    if (state !== this.#state || state !== offerState(this.#deps)) return;
    this.#bytes += url.length + body.length;
    if (this.#bytes > MOST_BYTES) this.#clear();
    else this.#bodies.set(url, body);
  }

  #clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
  }
}
