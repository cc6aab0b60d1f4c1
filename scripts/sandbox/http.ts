import type { IncomingMessage, ServerResponse } from "node:http";

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** Where the client reached this server. */
  origin: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Instead of a reply: the connection is cut, at once or after some seconds without an answer. */
export interface Cut {
  cutAfterSeconds: number;
}

export type Answer = Reply | Cut;

export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const LARGEST_BODY = 4 * 1024 * 1024;

export async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > LARGEST_BODY) throw new HttpError(413, "body too large");
    chunks.push(bytes);
  }
  const origin = `http://${request.headers.host ?? "127.0.0.1"}`;
  let url: URL;
  try {
    url = new URL(request.url ?? "/", origin);
  } catch {
    throw new HttpError(400, "malformed address");
  }
  return {
    method: request.method ?? "GET",
    path: url.pathname.length > 1 ? url.pathname.replace(/\/+$/, "") : "/",
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks),
    origin,
  };
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

/** Pages run only this origin's scripts and styles; any page may frame them. */
export function page(markup: string, status = 200): Reply {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'",
      "Cache-Control": "no-store",
      "Referrer-Policy": "strict-origin-when-cross-origin",
    },
    body: markup,
  };
}

export function text(body: string, status = 200, type = "text/plain; charset=utf-8"): Reply {
  return { status, headers: { "Content-Type": type, "Cache-Control": "no-store" }, body };
}

export function redirect(location: string): Reply {
  return { status: 303, headers: { Location: location, "Cache-Control": "no-store" }, body: "" };
}

export function send(response: ServerResponse, reply: Reply): void {
  const body = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
  response.writeHead(reply.status, {
    "X-Content-Type-Options": "nosniff",
    ...reply.headers,
    "Content-Length": body.length,
  });
  response.end(body);
}

export type Fields = Record<string, unknown>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON or urlencoded body as an object; an empty body is an empty object. */
export function fieldsOf(call: Call): Fields {
  const raw = call.body.toString("utf8");
  if (raw.trim() === "") return {};
  if (`${call.headers["content-type"] ?? ""}`.startsWith("application/x-www-form-urlencoded")) {
    return nested(new URLSearchParams(raw));
  }
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw new HttpError(400, "The request body is not valid JSON");
  }
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isRecord(value)) throw new HttpError(400, "The request body must be an object");
  return value;
}

/** `a[b]=c` becomes `{a: {b: "c"}}`, one level deep. */
export function nested(params: URLSearchParams): Fields {
  const out: Fields = Object.create(null);
  for (const [key, value] of params) {
    const parts = /^([^[\]]+)\[([^[\]]*)\]$/.exec(key);
    if (!parts) {
      out[key] = value;
      continue;
    }
    const [, outer = "", inner = ""] = parts;
    const group = isRecord(out[outer]) ? out[outer] : (Object.create(null) as Fields);
    group[inner] = value;
    out[outer] = group;
  }
  return out;
}

export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}

export function numberOf(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) throw new HttpError(400, `${name} must be a number`);
  return number;
}

export function html(value: unknown): string {
  return String(value ?? "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

export function rupees(paise: number): string {
  const text = (paise / 100).toLocaleString("en-IN", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return `₹${text}`;
}

/** A script or form of another site is refused; tools send no Origin. */
export function refuseForeign(call: Call): void {
  const { origin } = call.headers;
  const site = call.headers["sec-fetch-site"];
  if (call.method === "GET") return;
  if (origin !== undefined && origin !== call.origin) throw new HttpError(403, "another origin");
  if (site === "cross-site") throw new HttpError(403, "another site");
}
