/**
 * The only connection to calendar servers. A host name is resolved once, all its addresses are
 * checked, and the connection uses one of them, so a DNS answer that changes later has no effect.
 */
import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import {
  CalendarError,
  type CalendarErrorCode,
  isAllowedAddress,
  isAllowedUrl,
} from "./calendar-rules.ts";

const LIMIT_MS = 10_000;
const MOST_BYTES = 2 * 2 ** 20;
const MOST_REDIRECTS = 2;
const LONGEST_ETAG = 200;

export interface CalendarRequest {
  url: URL;
  /** The ETag of the last text read. */
  etag: string | null;
  /** True if the site runs on a loopback address: http, loopback and any port are then allowed. */
  isLoopbackSite: boolean;
  signal: AbortSignal;
}

export interface CalendarText {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string | null;
}

/** Null if the calendar is unchanged. Throws CalendarError, or the reason of an aborted `signal`. */
export async function fetchCalendar(request: CalendarRequest): Promise<CalendarText | null> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const signal = AbortSignal.any([limit, request.signal]);
    return await Promise.race([follow({ ...request, signal }), ended(signal)]);
  } catch (error) {
    request.signal.throwIfAborted();
    if (limit.aborted) throw new CalendarError("slow");
    throw error instanceof CalendarError ? error : new CalendarError("unreachable");
  }
}

async function follow(request: CalendarRequest): Promise<CalendarText | null> {
  const { isLoopbackSite } = request;
  let { url } = request;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    // Credentials in the address are sent to its own origin only.
    const { username, password, origin } = request.url;
    const isOwn = url.origin === origin;
    const response = await ask({
      ...request,
      url,
      etag: isOwn ? request.etag : null,
      auth:
        isOwn && username
          ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
          : null,
    });
    const status = response.statusCode ?? 0;
    if (status === 304 && request.etag) return end(response, null);
    if (status === 200) return { bytes: await readBody(response), etag: etagOf(response) };
    const { location } = response.headers;
    const target = location ? URL.parse(location, url) : null;
    end(response, null);
    if (![301, 302, 303, 307, 308].includes(status) || !target) throw refusalOf(status);
    if (!isAllowedUrl(target, isLoopbackSite)) throw new CalendarError("inside");
    url = target;
  }
  throw new CalendarError("redirects");
}

async function ask({
  url,
  etag,
  auth,
  isLoopbackSite,
  signal,
}: CalendarRequest & { auth: string | null }): Promise<IncomingMessage> {
  const options: RequestOptions = {
    agent: false,
    auth,
    signal,
    lookup: await resolved(url, isLoopbackSite),
    headers: {
      Accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
      "Accept-Encoding": "identity",
      "User-Agent": "busy-calendar-reader",
      ...(etag ? { "If-None-Match": etag } : {}),
    },
  };
  const bare = new URL(url);
  bare.username = bare.password = "";
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // A server that answers in another protocol closes the connection without an error.
    send(bare, options, resolve).on("error", reject).on("close", reject).end();
  });
}

/** Hands the checked addresses to the connection, so that it does not resolve the name again. */
async function resolved(url: URL, isLoopbackSite: boolean): Promise<LookupFunction> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await lookup(host, { all: true });
  const isOpen = addresses.every(({ address }) => isAllowedAddress(address, isLoopbackSite));
  if (!isOpen || !addresses[0]) throw new CalendarError("inside");
  const { address, family } = addresses[0];
  return (_host, { all }, tell) => {
    if (all) tell(null, addresses);
    else tell(null, address, family);
  };
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function readBody(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const { "content-encoding": encoding = "identity", "content-length": length } = response.headers;
  if (encoding.toLowerCase() !== "identity") throw end(response, new CalendarError("packed"));
  if (Number(length) > MOST_BYTES) throw end(response, new CalendarError("too_large"));
  const bytes = new Uint8Array(MOST_BYTES);
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size + chunk.length > MOST_BYTES) throw end(response, new CalendarError("too_large"));
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.slice(0, size);
}

/** Closes the connection. */
function end<T>(response: IncomingMessage, outcome: T): T {
  response.destroy();
  return outcome;
}

function etagOf({ headers: { etag } }: IncomingMessage): string | null {
  return etag && etag.length <= LONGEST_ETAG && /^[\x20-\x7e]+$/.test(etag) ? etag : null;
}

function refusalOf(status: number): CalendarError {
  const codes: Record<number, CalendarErrorCode> = {
    401: "refused",
    403: "refused",
    404: "gone",
    410: "gone",
  };
  return new CalendarError(codes[status] ?? "answer");
}
