/** Requests that no client of ours would send, made from ones that it would. */
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import {
  type Field,
  fieldsArbitrary,
  hostileJson,
  hostileText,
  type KnownValues,
  knownValues,
  MARKUP,
  textOf,
} from "./values.ts";

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array;
}

export interface FuzzAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A query: its fields as text, some of them broken once encoded. */
function queryArbitrary(known: KnownValues, names: readonly string[]) {
  return fc
    .tuple(
      fieldsArbitrary(known, names, hostileText),
      fc.constantFrom("", "&%ff", "&=&&", "&a[]=1"),
    )
    .map(([fields, tail]) => {
      const text = fields.map(([name, value]) => [name, textOf(value)]);
      return `?${new URLSearchParams(text)}${tail}`;
    });
}

const HEADER_GAMES: readonly Record<string, string | string[]>[] = [
  {},
  {},
  {},
  { "Accept-Encoding": "" },
  { "Accept-Encoding": "br;q=0, gzip;q=banana, *;q=-1" },
  { "Accept-Encoding": "br,".repeat(300) },
  { Accept: "*/*;q=" },
  { Accept: "text/html" },
  { "If-None-Match": '*, W/"x", "' },
  { "If-Modified-Since": "never" },
  { Range: "bytes=5-1,-0,x" },
  { Host: "evil.example" },
  { Host: "10-0-0-7.internal:3000", "X-Forwarded-Host": "evil.example" },
  { Forwarded: 'host=evil.example;proto="', "X-Forwarded-Proto": "gopher" },
  { "X-Forwarded-For": "1.1.1.1, ::ffff:evil" },
  { Cookie: "last_booking=eyJ4; admin_session=%; __Host-admin_session==; =; a" },
  { Cookie: `last_booking=${"x".repeat(3_000)}` },
  { Cookie: "last_booking=IjxmeiI+Ig==; flash=IjxmeiI+Ig==" },
  { Authorization: "Bearer" },
  { Authorization: `Bearer ${"x".repeat(3_000)}` },
  { Authorization: "Basic Og==" },
  { "Idempotency-Key": "ÿþ".repeat(150) },
  { "Idempotency-Key": " " },
  { "X-HTTP-Method-Override": "DELETE" },
  { "X-Razorpay-Signature": "zz", "X-Razorpay-Event-Id": "e".repeat(900) },
  { "X-Hub-Signature-256": "sha256=zz" },
  { "Content-Encoding": "gzip" },
  { "User-Agent": `${MARKUP}${"u".repeat(2_000)}` },
  { Referer: `http://evil.example/${MARKUP}`, Purpose: "prefetch" },
  { "X-React-Router-Stream": "yes", "X-Remix-Request": "1", Accept: "text/x-script" },
];

const CONTENT_TYPES = [
  "application/json",
  "application/json",
  "application/json",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=fz",
  "multipart/form-data",
  "application/json; charset=utf-16",
  "text/plain",
  "application/vnd.api+json",
  `x/${"y".repeat(500)}`,
  "",
];

export function encode(type: string, fields: Field[]): string {
  if (type.startsWith("multipart/")) {
    const parts = fields.map(
      ([name, value], i) =>
        `--fz\r\nContent-Disposition: form-data; name="${name}"${i % 5 === 4 ? '; filename="f.svg"' : ""}\r\n\r\n${textOf(value)}\r\n`,
    );
    return `${parts.join("")}--fz--\r\n`;
  }
  if (type.includes("json")) return JSON.stringify(Object.fromEntries(fields));
  const pairs = fields.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, textOf(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** A finished body, or that body cut, spoilt or replaced. */
function spoil(body: string): fc.Arbitrary<string | Uint8Array> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(body) },
    { weight: 1, arbitrary: fc.nat(body.length).map((end) => body.slice(0, end)) },
    { weight: 1, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("null", "[]", "1", '"x"', "{", `{"a":`, "[".repeat(9_000)),
    },
    { weight: 1, arbitrary: fc.constant(`{"__proto__":{"x":1},${body.slice(1)}`) },
  );
}

export interface Target {
  method: string;
  /** As in the route table, with `:id` and the like. */
  path: string;
  /** Fields that its deep code waits for. */
  fields?: readonly string[] | undefined;
  query?: readonly string[] | undefined;
}

/** Requests to one target, `authorization` being that of an admin or nothing. */
export function requestArbitrary(
  target: Target,
  ids: readonly string[],
  authorization: string | null,
): fc.Arbitrary<FuzzRequest> {
  const known = knownValues(ids);
  const isApi = /^\/(api|webhooks)\//.test(target.path);
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom("%ff", "%", "..", ".", "%2e%2e", "%2f", "a%00b") },
  );
  const dynamic = target.path.match(/:\w+/g) ?? [];
  const path = fc
    .tuple(...dynamic.map(() => segment))
    .map((values) =>
      values.reduce((whole, value) => whole.replace(/:\w+/, () => value), target.path),
    );
  const type = isApi
    ? fc.constantFrom(...CONTENT_TYPES)
    : fc.constantFrom(...CONTENT_TYPES, ...Array(12).fill("application/x-www-form-urlencoded"));
  const hasBody = target.method !== "GET" && target.method !== "HEAD";
  return fc
    .record({
      path,
      suffix: fc.constantFrom("", "", "", "", "/", ".data", "//", ".html"),
      query: fc.oneof(
        { weight: target.query ? 4 : 1, arbitrary: queryArbitrary(known, target.query ?? []) },
        { weight: target.query ? 1 : 3, arbitrary: fc.constant("") },
      ),
      type,
      fields: fieldsArbitrary(known, target.fields ?? [], isApi ? hostileJson : hostileText),
      games: fc.constantFrom(...HEADER_GAMES),
    })
    .chain(({ path: to, suffix, query, type: contentType, fields, games }) =>
      (hasBody ? spoil(encode(contentType, fields)) : fc.constant("")).map((body) => ({
        method: target.method,
        path: `${to}${target.path === "/" && suffix === ".data" ? "_.data" : suffix}${query}`,
        headers: {
          ...(authorization === null ? {} : { Authorization: authorization }),
          ...(contentType === "" || !hasBody ? {} : { "Content-Type": contentType }),
          ...games,
        },
        body,
      })),
    );
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0 || encoding === undefined) return body;
  if (encoding === "br") return brotliDecompressSync(body);
  if (encoding === "gzip") return gunzipSync(body);
  throw new Error(`an encoding that we do not offer: ${encoding}`);
}

/** Sends what `fetch` would mend or refuse to send. */
export function send(origin: string, agent: Agent, request: FuzzRequest): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const headers = {
      ...request.headers,
      "Content-Length": String(Buffer.byteLength(request.body)),
    };
    const { method, path } = request;
    const sent = httpRequest({ hostname, port, agent, method, path, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () =>
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          text: decode(Buffer.concat(chunks), reply.headers["content-encoding"]).toString("utf8"),
        }),
      );
      reply.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(request.body);
  });
}
