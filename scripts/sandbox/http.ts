/** Calls, answers and pages of the sandbox's HTTP server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Call {
  method: string;
  path: string;
  /** With its slash at the end: a signature covers it. */
  rawPath: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** Where the client reached this server. */
  origin: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Half of the body, then the connection is cut. */
  isCutInside?: boolean;
}

/** A reply, or a connection that is cut without one, at once or after some seconds. */
export type Answer = Reply | { cutAfterSeconds: number };

/** A refusal. Razorpay and Meta have shapes of their own for it. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  reply(): Reply {
    return json({ error: this.message }, this.status);
  }
}

export async function readCall(request: IncomingMessage): Promise<Call> {
  const origin = `http://${request.headers.host ?? "127.0.0.1"}`;
  const url = URL.parse(request.url ?? "/", origin);
  if (!url) throw new HttpError(400, "malformed address");
  return {
    method: request.method ?? "GET",
    path: url.pathname.length > 1 ? url.pathname.replace(/\/+$/, "") : "/",
    rawPath: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: await buffer(request),
    origin,
  };
}

export function send(response: ServerResponse, reply: Reply): void {
  const { status, headers, body } = reply;
  const bytes = Buffer.from(body as string);
  const always = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };
  response.writeHead(status, { ...always, "Content-Length": bytes.length, ...headers });
  if (!reply.isCutInside) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

export function typed(type: string, body: Reply["body"], status = 200): Reply {
  return { status, headers: { "Content-Type": type }, body };
}

export function json(value: unknown, status = 200): Reply {
  return typed("application/json; charset=utf-8", JSON.stringify(value), status);
}

/** Pages run only this origin's scripts and styles; any page may frame them. */
export function page(markup: string, status = 200): Reply {
  const reply = typed("text/html; charset=utf-8", markup, status);
  reply.headers["Content-Security-Policy"] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'";
  reply.headers["Referrer-Policy"] = "strict-origin-when-cross-origin";
  return reply;
}

export function redirect(location: string): Reply {
  return { status: 303, headers: { Location: location }, body: "" };
}

export type Fields = Record<string, unknown>;

/** A JSON or urlencoded body as an object; an empty body is an empty object. */
export function fieldsOf(call: Call): Fields {
  const raw = call.body.toString("utf8");
  if (raw.trim() === "") return {};
  if (`${call.headers["content-type"]}`.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(raw));
  }
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Fields;
  } catch {}
  throw new HttpError(400, "The request body must be a JSON object");
}

export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

export function numberOf(fields: Fields, name: string): number | undefined {
  const text = textOf(fields, name);
  if (!text) return undefined;
  if (!Number.isFinite(Number(text))) throw new HttpError(400, `${name} must be a number`);
  return Number(text);
}

/** A script or form of another site is refused; tools send no Origin. */
export function refuseForeign({ headers, origin }: Call): void {
  const foreign = headers.origin !== undefined && headers.origin !== origin;
  if (!foreign && headers["sec-fetch-site"] !== "cross-site") return;
  throw new HttpError(403, "another site");
}

const ENTITIES: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

export function html(value: unknown): string {
  return String(value ?? "").replace(/[&<>"]/g, (sign) => `&${ENTITIES[sign]};`);
}

export function hiddenInputs(fields: Iterable<[string, unknown]>): string {
  const input = ([name, value]: [string, unknown]) =>
    `<input type="hidden" name="${html(name)}" value="${html(value)}">`;
  return Array.from(fields, input).join("");
}

export function rupees(paise: number): string {
  return (paise / 100).toLocaleString("en-IN", { style: "currency", currency: "INR" });
}

export function htmlDocument(title: string, body: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__sandbox/sandbox.css">
${script ? `<script src="${script}" defer></script>` : ""}
</head>
<body>
${body}
</body>
</html>
`;
}

/** A server's error page, where the client expects JSON. */
export function errorPage(status: number): Reply {
  const title = `${status} Server Error`;
  const markup = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return typed("text/html", markup, status);
}

export function noticePage(title: string, words: string): string {
  return htmlDocument(
    `${title} (sandbox)`,
    `<main class="pay"><h1>${html(title)}</h1><p>${html(words)}</p></main>`,
  );
}
