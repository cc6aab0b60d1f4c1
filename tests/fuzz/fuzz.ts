/** Requests that no client of ours would send, made from ones that it would. */
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";

/** Stands in many values; raw in a page it would be markup from outside. */
export const MARKUP = `<fz"'>`;

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

/** What the fields of calls, forms and queries mean to the program, by their name. */
function knownValues(ids: readonly string[]): Readonly<Record<string, readonly unknown[]>> {
  const dates = [dayAhead(12), dayAhead(40), dayAhead(-3), "2026-02-30"];
  return {
    name: ["Meera Pillai", "मीरा पिल्लै", MARKUP],
    email: ["meera@example.in", `a${MARKUP}@example.in`],
    phone: ["9845012345", "+91 98450 12345", "+1 202 555 0143"],
    counselor: [ASHA, ROHAN, "asha"],
    package: ["30", 30, 45, "60"],
    packagePrice: [999, 1299, "1499"],
    date: dates,
    startDate: dates,
    endDate: dates,
    from: dates,
    to: dates,
    until: dates,
    timeSlot: ["10:00", "23:30", "10:15"],
    newTimeSlot: ["10:00", "11:30"],
    timeSlots: [["10:00", "10:30"], ["09:00"], "10:00"],
    timeSlotsToBlock: [["12:00"], "12:00"],
    action: ["block", "unblock"],
    reason: ["Leave", MARKUP],
    state: ["29", ""],
    notes: ["A question", MARKUP],
    website: ["", "x"],
    shownTotal: ["1179", MARKUP],
    pick: [`asha ${dates[0]} 10:00`, MARKUP],
    intent: ["book", "show-times", "end-sessions", "refund", "assign", "send", "verify"],
    version: ["1", 1, 99],
    appointmentId: ids,
    booking: ids,
    razorpay_order_id: ["order_00000000000001"],
    razorpay_payment_id: ["pay_00000000000001"],
    razorpay_signature: ["0".repeat(64), ""],
    paymentId: ["pay_00000000000001"],
    username: ["admin", "nobody"],
    password: ["x", "long enough to be one"],
    totp: ["000000"],
    otp: ["123456"],
    newPassword: ["abc", "quiet-runway-0918"],
    confirmPassword: ["abc"],
    currentPassword: ["abc"],
    next: ["/admin/account", "//evil.example", "https://evil.example", "/admin/\\evil.example"],
    status: ["confirmed", "cancelled"],
    q: ["meera", "%", "#abc123", `"`, "*"],
    page: ["1", "2", "999999"],
    pageSize: ["50", "1000"],
    sort: ["-date", "amount"],
    month: ["2026-11", "2026-13"],
    payment: ["failed", "__proto__"],
    tab: ["set", "block"],
    weekday: ["1", "7"],
    list: ["?page=2", `?q=${MARKUP}`],
    resend: ids,
    refund: ids,
    event: ["payment.captured", "refund.processed", "payment.dispute.created"],
    payload: [{ payment: { entity: { id: "pay_00000000000001" } } }, {}],
    "hub.mode": ["subscribe"],
    "hub.challenge": [MARKUP],
    token: ["x".repeat(43)],
  };
}

const HOSTILE = [
  "",
  " ",
  "\u0000",
  "\r\nSet-Cookie: fz=1",
  MARKUP,
  `"><script>alert(1)</script>${MARKUP}`,
  "' OR 1=1 --",
  "'; DROP TABLE appointment; --",
  "{{7*7}}<%= 7*7 %>",
  "../../../../etc/passwd",
  "%00%0d%0a",
  "__proto__",
  "constructor",
  "\u202eabc\u2066",
  "\ud800",
  "👩🏽‍✈️".repeat(40),
  "e\u0301\u0327".repeat(30),
  "-0",
  "1e309",
  "NaN",
  "9007199254740993",
  "0x10",
  "2026-02-30",
  "275760-09-14",
  "a".repeat(255),
  "ﬀ".repeat(2_000),
  "x".repeat(20_000),
];

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
);

const hostileJson = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, true, -1, 0.1, 1e21, [], {}, [[]], [null]),
  },
);

type Field = [name: string, value: unknown];

/** Some of the named fields and others besides, each as it should be or as it should not. */
function fieldsArbitrary(
  known: Readonly<Record<string, readonly unknown[]>>,
  names: readonly string[],
  hostile: fc.Arbitrary<unknown>,
): fc.Arbitrary<Field[]> {
  const valueFor = (name: string) =>
    fc.oneof(
      // The first is right, so that a good part of the requests gets past the checks.
      { weight: 8, arbitrary: fc.constant<unknown>(known[name]?.[0] ?? "x") },
      { weight: 3, arbitrary: fc.constantFrom<unknown>(...(known[name] ?? ["x"])) },
      { weight: 1, arbitrary: hostile },
    );
  const field = (name: string): fc.Arbitrary<Field> => valueFor(name).map((value) => [name, value]);
  const wanted = fc
    .tuple(...names.map((name) => fc.option(field(name), { freq: 12 })))
    .map((all) => all.filter((one): one is Field => one !== null));
  const strange = fc.oneof(
    fc.constantFrom(...Object.keys(known)).chain(field),
    fc.tuple(hostileText, hostile),
  ) as fc.Arbitrary<Field>;
  return fc
    .tuple(wanted, fc.array(strange, { maxLength: 3 }))
    .map(([fields, others]) => [...fields, ...others]);
}

/** A query: its fields as text, some of them broken once encoded. */
function queryArbitrary(known: Parameters<typeof fieldsArbitrary>[0], names: readonly string[]) {
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

function encode(type: string, fields: Field[]): string {
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

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
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
  fields?: readonly string[];
  query?: readonly string[];
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
        path: `${to}${target.path === "/" && suffix === ".data" ? "_root.data" : suffix}${query}`,
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
export function send(origin: string, agent: Agent, wish: FuzzRequest): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const headers = { ...wish.headers, "Content-Length": String(Buffer.byteLength(wish.body)) };
    const { method, path } = wish;
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
    sent.end(wish.body);
  });
}
