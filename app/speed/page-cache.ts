/**
 * Caches the booking page for visitors without a booking: rendered and compressed once, until the
 * offer changes. It depends on no cookie, and of the query only on the captain and the package.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { findCounselorAsked } from "#app/model/catalogue.ts";
import { bytesOf, chooseEncoding, compress } from "./compress.ts";
import { oncePerOffer } from "./offer-answers.server.ts";

interface Page {
  etag: string;
  headers: [string, string][];
  bodies: { identity: Buffer; br: Buffer; gzip: Buffer };
}

const catalogueNow = oncePerOffer(({ db }: ReadDeps) => readCatalogue(db));

/** Serves many visitors, but is repeated after every booking. */
const BROTLI_QUALITY = 7;

export class PageCache {
  readonly #deps: ReadDeps;
  /** By query. */
  readonly #pagesNow = oncePerOffer(() => ({
    made: new Map<string, Page>(),
    making: new Map<string, Promise<Page | null>>(),
  }));

  constructor(deps: ReadDeps) {
    this.#deps = deps;
  }

  /**
   * The query of the page in one spelling, with the captain and the package that a link names, or "";
   * null if the response may not be cached.
   */
  queryOf({ url = "", method, headers }: IncomingMessage): string | null {
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

  /** The cached page; null if it must be rendered. */
  find(query: string): Page | null {
    return this.#pagesNow(this.#deps).made.get(query) ?? null;
  }

  /** The page, rendered once for all requests that wait for it; null if it cannot be cached. */
  async read(query: string, render: () => Promise<Response>): Promise<Page | null> {
    const { made, making } = this.#pagesNow(this.#deps);
    const known = made.get(query) ?? making.get(query);
    if (known) return known;
    const next = pageOf(render);
    making.set(query, next);
    try {
      const page = await next;
      // If the offer has changed meanwhile, nobody else is given it.
      if (page) made.set(query, page);
      return page;
    } finally {
      making.delete(query);
    }
  }
}

async function pageOf(render: () => Promise<Response>): Promise<Page | null> {
  const answer = await render();
  const identity = await bytesOf(answer);
  if (!identity || answer.status !== 200 || answer.headers.has("set-cookie")) return null;
  const [br, zipped] = await Promise.all([
    compress(identity, "br", BROTLI_QUALITY),
    compress(identity, "gzip"),
  ]);
  const etag = sha256(identity).slice(0, 22);
  const headers = [...answer.headers].filter(([name]) => name !== "content-length");
  return { etag, headers, bodies: { identity, br, gzip: zipped } };
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

function matches(header = "", etag: string): boolean {
  return header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
