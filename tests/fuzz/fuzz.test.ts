/**
 * Every call and form, public and admin, with input that no client of ours would send: never a 5xx,
 * never markup from outside in a page, never a redirect to elsewhere, and nothing written on a 4xx.
 * FUZZ_RUNS sets the number of requests for each method of each route, FUZZ_SEED the seed.
 */
import { createHash } from "node:crypto";
import { Agent } from "node:http";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { book, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { type FuzzAnswer, type FuzzRequest, requestArbitrary, send, type Target } from "./fuzz.ts";
import { FIELDS, PATHS, QUERIES } from "./fuzz-targets.ts";
import { ownSessions } from "./own-session.ts";
import { MARKUP } from "./values.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? 3);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** These sign the account's sessions out or cost a password hash each. */
const SLOW = /(login|reset-password|forgot-password|verify-otp|\/admin)$/;

const app = sharedApp({ env: { WORKER_INTERVAL_MS: "600000", LOG_LEVEL: "error" } });
let ids: string[] | undefined;
const sessions = ownSessions(app);
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
beforeEach(async () => {
  ids = await liveAppointments();
  await quiet();
});
afterAll(() => agent.destroy());

let booked = 0;

/** A paid session, two unpaid ones and an id of none; made anew where they were cancelled or removed. */
async function liveAppointments(): Promise<string[]> {
  const statusOf = (id: string | undefined) =>
    app.db.firstRaw<{ status: string }>("SELECT status FROM appointment WHERE id = ?", [id])
      ?.status;
  const live = ids ?? [];
  for (const i of [0, 1, 2]) {
    const isLive = /confirmed|rescheduled|pending/.test(statusOf(live[i]) ?? "");
    if (isLive && (i > 0 || statusOf(live[i]) !== "pending_payment")) continue;
    booked += 1;
    const timeSlot = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"][booked % 6]!;
    const time = { date: dayAhead(45 + Math.floor(booked / 6)), timeSlot };
    live[i] = (await (i === 0 ? bookAndPay(app, time) : book(app, time))).id;
  }
  return [...live.slice(0, 3), "abcdefghijkmnpqrstuvwxyz23"];
}

/** What a person, money or a document stands in; logs of refusals and sessions are written. */
const WRITTEN = {
  appointment: "*",
  session_time: "*",
  availability: "*",
  block: "*",
  payment_order: "receipt, appointment_id, order_id, state",
  payment: "payment_id, order_id, appointment_id, amount_paise, outcome",
  refund: "id, payment_id, amount_paise",
  document: "*",
  document_series: "*",
  message: "id, kind, recipient, appointment_id",
  opt_out: "*",
  customer: "*",
  erasure: "*",
  provider_event: "event_id",
  idempotency: "*",
  admin: "id, username, email, password_hash, totp_secret",
};

function digest(): Record<string, string> {
  const hashOf = (rows: unknown[]) =>
    createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  const tables = Object.entries(WRITTEN).map(([table, columns]) => [
    table,
    hashOf(app.db.allRaw(`SELECT ${columns} FROM ${table}`)),
  ]);
  return Object.fromEntries(tables);
}

/** Until what a change has caused in the background is done. */
async function quiet(): Promise<void> {
  await eventually(async () => {
    await app.sandbox.idle();
    const { waiting } = app.db.firstRaw<{ waiting: number }>(
      `SELECT (SELECT count(*) FROM message WHERE next_try_at <= unixepoch() * 1000)
         + (SELECT count(*) FROM refund WHERE state IN ('wanted', 'sent'))
         + (SELECT count(*) FROM provider_event WHERE state = 'new') AS waiting`,
    )!;
    expect(waiting).toBe(0);
  });
}

/** How often each answer was given. */
const seen: Record<string, number> = {};
let before = { version: -1, digest: {} as Record<string, string> };

async function check(wanted: FuzzRequest): Promise<FuzzAnswer> {
  const version = app.db.dataVersion();
  if (version !== before.version) before = { version, digest: digest() };
  const answer = await send(app.origin, agent, wanted);
  seen[`${wanted.method} ${answer.status}`] = (seen[`${wanted.method} ${answer.status}`] ?? 0) + 1;
  const label = `${wanted.method} ${wanted.path.slice(0, 300)} → ${answer.status}`;
  expect(answer.status, `${label} ${answer.text.slice(0, 300)}`).toBeLessThan(500);
  expect(answer.status, label).toBeGreaterThanOrEqual(200);
  // What is too long to be read as HTTP never reaches us: Node answers for itself.
  if (!answer.headers["x-request-id"]) {
    expect([400, 431], label).toContain(answer.status);
    return answer;
  }
  const type = String(answer.headers["content-type"] ?? "");
  if (type.startsWith("text/html")) {
    expect(answer.text, label).not.toContain(MARKUP.slice(0, 3));
    expect(answer.text, `a part of the page failed: ${label}`).not.toContain("<!--$!-->");
  }
  expect(answer.headers["x-content-type-options"], label).toBe("nosniff");
  expect(answer.text, label).not.toMatch(/SQLITE_|SqliteError|node_modules|at [A-Za-z.]+ \(file:/);
  const { pathname } = new URL(app.origin + wanted.path);
  if (pathname.startsWith("/api/") && answer.status >= 400 && wanted.method !== "HEAD") {
    expect(JSON.parse(answer.text), label).toMatchObject({ status: "error" });
    expect(JSON.parse(answer.text).message, label).toMatch(/\S/);
  }
  const cookies = [answer.headers["set-cookie"] ?? []].flat().join("\n");
  expect(cookies, label).not.toMatch(/(^|\n)fz=/);
  const { location } = answer.headers;
  if (location) {
    const own = [app.origin, app.env.PUBLIC_URL];
    expect(own, `${label} ${location}`).toContain(new URL(location, app.origin).origin);
  }
  if (answer.status === 429) expect(answer.headers["retry-after"], label).toMatch(/^\d+$/);
  if (answer.status === 405) expect(answer.headers.allow ?? "none", label).toMatch(/[A-Z]/);
  if (answer.status >= 400 && app.db.dataVersion() !== version) {
    expect(digest(), `written on ${label}`).toEqual(before.digest);
  }
  if (answer.status < 400 && app.db.dataVersion() !== version) await quiet();
  return answer;
}

let targets = 0;

function fuzz(target: Target, isAdmin: boolean): Promise<void> {
  const isKnown = target.method === "GET" || target.method === "POST" || target.fields;
  const runs = Math.ceil(RUNS / (!isKnown || SLOW.test(target.path) ? 5 : 1));
  return fc.assert(
    fc.asyncProperty(requestArbitrary(target, ids!, isAdmin ? "ADMIN" : null), async (wanted) => {
      const { Authorization } = wanted.headers;
      const headers =
        Authorization === "ADMIN"
          ? { ...wanted.headers, Authorization: `Bearer ${sessions.live()}` }
          : wanted.headers;
      await check({ ...wanted, headers });
    }),
    { numRuns: runs, seed: SEED + ++targets, endOnFailure: RUNS < 100 },
  );
}

describe("whatever is sent", () => {
  afterAll(() => console.log(`${RUNS} requests a method, seed ${SEED}:`, JSON.stringify(seen)));

  it("names in its lists only what is in the route table", () => {
    for (const key of [...Object.keys(FIELDS), ...Object.keys(QUERIES)]) {
      expect(PATHS, key).toContain(key.split(" ")[1]);
    }
    expect(PATHS.length).toBeGreaterThan(40);
  });

  for (const path of PATHS) {
    const isAdmin = /^\/(api\/)?admin(\/|$)/.test(path);
    it(`${path} refuses or does what was meant`, { timeout: 60_000 + RUNS * 2_000 }, async () => {
      for (const method of METHODS) {
        const key = `${method} ${path}`;
        await fuzz({ method, path, fields: FIELDS[key], query: QUERIES[key] }, isAdmin);
        await quiet();
      }
    });
  }

  it("a signed webhook of any content is taken or refused, never a fault", async () => {
    const body = fc.oneof(
      fc.json(),
      fc.constantFrom("null", "[]", '{"event":"payment.captured","payload":{"payment":null}}'),
      fc
        .record({ event: fc.string(), payload: fc.jsonValue() })
        .map((value) => JSON.stringify(value)),
      fc
        .constantFrom("payment.captured", "refund.processed", "payment.dispute.created")
        .map((event) =>
          JSON.stringify({
            event,
            payload: {
              payment: { entity: { id: MARKUP, order_id: 7 } },
              refund: { entity: { id: "rfnd_x", payment_id: {} } },
              dispute: { entity: { id: "d", payment_id: "p", amount: "1e400" } },
            },
          }),
        ),
    );
    const { webhookSecret, whatsappAppSecret } = app.sandbox.credentials;
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        for (const [path, headers] of [
          ["/webhooks/razorpay", { "X-Razorpay-Signature": signedBy(webhookSecret, text) }],
          [
            "/webhooks/whatsapp",
            { "X-Hub-Signature-256": `sha256=${signedBy(whatsappAppSecret, text)}` },
          ],
        ] as const) {
          const sent = { method: "POST", path, body: text, headers: { ...headers } };
          const answer = await send(app.origin, agent, sent);
          expect(answer.status, `${path} ${text}`).toBeLessThan(500);
        }
      }),
      { numRuns: RUNS * 4, seed: SEED },
    );
    await quiet();
  });

  it("what is not HTTP is refused, and the next request is served", async () => {
    for (const raw of [
      "GARBAGE\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /\\evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET //evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      `GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /${"%61".repeat(4_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(3_000)}\r\n`,
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: banana\r\nContent-Length: 0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nX: a\u0001b\r\n\r\n",
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]) {
      const status = await rawStatus(raw);
      expect(status === null || status < 500, `${raw.slice(0, 60)} → ${status}`).toBe(true);
      expect((await app.api("/health")).status).toBe(200);
    }
  });
});

/** Null: the connection was closed without an answer. */
function rawStatus(raw: string): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(app.origin).port), "127.0.0.1", () => socket.write(raw));
    const timer = setTimeout(() => socket.destroy(), 1_500);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\r\n")) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve(status === undefined ? null : Number(status));
    });
  });
}
