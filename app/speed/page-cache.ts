/**
 * Keeps the finished booking page for visitors about whom nothing is known: rendered and compressed
 * once, dropped when what is offered changes, ended by the clock. It never sees a cookie, and of a
 * query only which captain and package of ours are named.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { findCounselorAsked } from "#app/model/catalogue.ts";
import { bytesOf, chooseEncoding, compress } from "./compress.ts";
import {
  type OfferState,
  offerState,
  oncePerOffer,
  type StateDeps,
} from "./offer-answers.server.ts";

interface Page {
  /** What it shows. */
  state: OfferState;
  etag: string;
  headers: [string, string][];
  bodies: { identity: Buffer; br: Buffer; gzip: Buffer };
}

const catalogueNow = oncePerOffer(({ db }: StateDeps) => readCatalogue(db));

/** Compressed once for many visitors, but again after every booking. */
const BROTLI_QUALITY = 7;

export class PageCache {
  readonly #deps: StateDeps;
  /** By the query that is asked for. */
  readonly #pages = new Map<string, Page>();
  readonly #making = new Map<string, { state: OfferState; page: Promise<Page | null> }>();

  constructor(deps: StateDeps) {
    this.#deps = deps;
  }

  /**
   * For a visitor about whom nothing is known the query of the page, in one spelling: the captain and
   * the package of ours that a link names, or ""; else null. The page depends on one cookie, and on them.
   */
  asked({ url = "", method, headers }: IncomingMessage): string | null {
    const isServed =
      /^\/(\?|$)/.test(url) &&
      (method === "GET" || method === "HEAD") &&
      !headers.cookie?.includes(OWN_BOOKING_COOKIE) &&
      headers.authorization === undefined;
    if (!isServed) return null;
    if (url.length <= 2) return "";
    const query = new URLSearchParams(url.slice(2));
    const catalogue = catalogueNow(this.#deps);
    const counselor = findCounselorAsked(catalogue, query.get("counselor") ?? "");
    const chosen = catalogue.packages.find((one) => String(one.minutes) === query.get("package"));
    const asked = new URLSearchParams({
      ...(counselor && { counselor: counselor.key }),
      ...(chosen && { package: String(chosen.minutes) }),
    });
    return asked.size > 0 ? `?${asked}` : "";
  }

  /** As it is now; null if it has to be made. */
  find(asked: string): Page | null {
    const page = this.#pages.get(asked);
    return page?.state === offerState(this.#deps) ? page : null;
  }

  /** As `find`; `render` is called once for all who wait. Null if it cannot be kept. */
  async read(asked: string, render: () => Promise<Response>): Promise<Page | null> {
    const page = this.find(asked);
    if (page) return page;
    const state = offerState(this.#deps);
    const known = this.#making.get(asked);
    if (known?.state === state) return known.page;
    const made = this.#make(asked, state, render).finally(() => {
      if (this.#making.get(asked)?.page === made) this.#making.delete(asked);
    });
    this.#making.set(asked, { state, page: made });
    return made;
  }

  async #make(
    asked: string,
    state: OfferState,
    render: () => Promise<Response>,
  ): Promise<Page | null> {
    const answer = await render();
    const identity = await bytesOf(answer);
    if (!identity || answer.status !== 200 || answer.headers.has("set-cookie")) return null;
    const [br, zipped] = await Promise.all([
      compress(identity, "br", BROTLI_QUALITY),
      compress(identity, "gzip"),
    ]);
    const etag = sha256(identity).slice(0, 22);
    const headers = [...answer.headers].filter(([name]) => name !== "content-length");
    const page = { state, etag, headers, bodies: { identity, br, gzip: zipped } };
    for (const [name, kept] of this.#pages) if (kept.state !== state) this.#pages.delete(name);
    this.#pages.set(asked, page);
    return page;
  }
}

export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const encoding = chooseEncoding(request);
  const etag = `"${page.etag}${encoding === null ? "" : `-${encoding}`}"`;
  for (const [name, value] of page.headers) response.setHeader(name, value);
  response.setHeader("ETag", etag);
  response.setHeader("Cache-Control", "no-cache");
  response.setHeader("Vary", "Accept-Encoding, Cookie");
  if (matches(request.headers["if-none-match"], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const body = page.bodies[encoding ?? "identity"];
  if (encoding !== null) response.setHeader("Content-Encoding", encoding);
  response.setHeader("Content-Length", body.length);
  response.end(request.method === "HEAD" ? undefined : body);
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
