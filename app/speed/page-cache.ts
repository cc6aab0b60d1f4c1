/**
 * Keeps the finished booking page for visitors about whom nothing is known: rendered and compressed
 * once, dropped when what is offered changes, ended by the clock. It never sees a cookie or a query.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/sha256.ts";
import { chooseEncoding, compress } from "./compress.ts";
import { bytesOf } from "./finished-response.ts";
import { type OfferState, offerState } from "./offer-state.server.ts";

interface Page {
  /** What it shows. */
  state: OfferState;
  etag: string;
  headers: [string, string][];
  bodies: { identity: Buffer; br: Buffer; gzip: Buffer };
}

/** Compressed once for many visitors, but again after every booking. */
const BROTLI_QUALITY = 7;

export class PageCache {
  readonly #deps: Pick<Deps, "db" | "env" | "now">;
  #page: Page | null = null;
  #making: { state: OfferState; page: Promise<Page | null> } | null = null;

  constructor(deps: Pick<Deps, "db" | "env" | "now">) {
    this.#deps = deps;
  }

  /** True for a visitor about whom nothing is known. The page depends on one cookie, and on who is asked for. */
  serves(request: IncomingMessage): boolean {
    return (
      /^\/(\?(?!.*\bcounselor=)|$)/.test(request.url ?? "") &&
      (request.method === "GET" || request.method === "HEAD") &&
      !request.headers.cookie?.includes(OWN_BOOKING_COOKIE) &&
      request.headers.authorization === undefined
    );
  }

  /** The page as it is now; `render` is called once for all who wait. Null if it cannot be kept. */
  async read(render: () => Promise<Response>): Promise<Page | null> {
    const state = offerState(this.#deps);
    if (this.#page?.state === state) return this.#page;
    if (this.#making?.state !== state) {
      const making = { state, page: this.#make(state, render) };
      this.#making = making;
      making.page
        .finally(() => {
          if (this.#making === making) this.#making = null;
        })
        .catch(() => {});
    }
    return this.#making.page;
  }

  async #make(state: OfferState, render: () => Promise<Response>): Promise<Page | null> {
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
    this.#page = page;
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
