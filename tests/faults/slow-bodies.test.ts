/** Requests whose bodies come slowly, never end, or are many: what they meet, and that nobody waits. */
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ApiAnswer } from "#tests/helpers/api-client.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { signedBy } from "#tests/support/signed-by.ts";

const PROXY_HEADER = "Fly-Client-IP";
const ATTACKER = "203.0.113.66";
const METRICS_TOKEN = "a-token-of-tests";

const app = sharedApp({
  separateProcess: true,
  env: { RATE_LIMIT: undefined, TRUSTED_PROXY_HEADER: PROXY_HEADER.toLowerCase(), METRICS_TOKEN },
});

const times = (n: number) => Array.from({ length: n }, (_, i) => i);
const from = (address: string) => ({ [PROXY_HEADER]: address });

interface Sent {
  socket: Socket;
  /** What came back until the server closed the connection, and after how many milliseconds. */
  closed: Promise<{ status: number; text: string; ms: number }>;
}

interface Head {
  method?: string;
  path: string;
  /** Null leaves one out. */
  headers?: Record<string, string | null>;
}

/** Sends the head of a request and what `body` is given; nothing ends it. */
function begin({ method = "POST", path, headers }: Head, body: string | Buffer = ""): Sent {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(app.origin).port), "127.0.0.1");
  const lines = Object.entries({
    Host: "127.0.0.1",
    "Content-Length": "60000",
    "Content-Type": "application/json",
    ...headers,
  })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  socket.on("error", () => {});
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  const closed = new Promise<{ status: number; text: string; ms: number }>((resolve) => {
    socket.on("close", () => {
      const status = Number(text.split(" ")[1] ?? 0);
      resolve({ status, text, ms: performance.now() - startedAt });
    });
  });
  return { socket, closed };
}

/** Sends `piece` every `ms` until the connection ends. */
async function goOn({ socket }: Sent, piece: string, ms: number) {
  while (socket.writable) {
    socket.write(piece);
    await wait(ms);
  }
}

async function figure(name: string): Promise<number> {
  const { text } = await app.api("/metrics", { token: METRICS_TOKEN });
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.split(" ")[1] ?? 0);
}

const residentMiB = async () => (await figure("process_resident_memory_bytes")) / 2 ** 20;
const refused = (reason: string) => figure(`requests_refused_total{reason="${reason}"}`);

const signed = (body: string) => ({
  "Content-Type": "application/json",
  "X-Razorpay-Signature": signedBy(app.sandbox.credentials.webhookSecret, body),
  "X-Razorpay-Event-Id": body.slice(0, 60),
});

const CHUNKED = { "Transfer-Encoding": "chunked", "Content-Length": null };

// Both side by side, for each waits ten seconds.
describe.concurrent("a body", () => {
  it("that brings less than 4 KiB in 10 s gets 408 and a closed socket, wherever it is sent", async () => {
    const heads: Head[] = [
      { path: "/webhooks/razorpay" },
      { path: "/webhooks/whatsapp" },
      { path: "/api/appointments" },
      { path: "/payments/callback?booking=abcdefghijkmnpqrstuvwxyz23" },
      { path: "/", headers: { Accept: "text/html" } },
      { path: "/admin" },
      { path: "/nothing" },
      { path: "/api/admin/blocks", method: "PUT" },
      { path: "/", method: "GET" },
      { path: "/health", method: "GET" },
      { path: "/favicon.svg", method: "GET" },
    ];
    const silent = heads.map((head) => begin(head, "{"));
    const dribbling = heads.map((head) => {
      const sent = begin(head, "{");
      void goOn(sent, "x", 500);
      return sent;
    });
    const chunked = begin({ path: "/webhooks/razorpay", headers: CHUNKED }, "1\r\n{\r\n");
    void goOn(chunked, "100\r\n".padEnd(0x100 + 7, "x\r\n"), 1_000);
    for (const sent of [...silent, ...dribbling, chunked]) {
      const { status, text, ms } = await sent.closed;
      expect(status, text).toBe(408);
      expect(ms).toBeGreaterThan(9_900);
      expect(ms).toBeLessThan(20_000);
      expect(text).toContain("Connection: close");
    }
    const call = (await silent[2]!.closed).text;
    expect(call).toContain('"code":"request_timeout"');
    expect(call).toContain("X-Content-Type-Options: nosniff");
    expect((await silent[4]!.closed).text).toContain("<!doctype html>");
  });
});

describe.concurrent("six hundred webhooks that never finish", () => {
  it("hold up neither others nor the neighbour behind the same address, and are gone soon", async () => {
    const before = await residentMiB();
    const refusedBefore = await refused("request_timeout");
    const slow = times(600).map(() =>
      begin({ path: "/webhooks/razorpay", headers: from(ATTACKER) }, "x".repeat(3_000)),
    );
    const stop = performance.now() + 3_000;
    let day = 40;
    const slowest: Record<string, number> = {};
    const timed = async (name: string, expected: number, answer: Promise<ApiAnswer>) => {
      const startedAt = performance.now();
      expect((await answer).status, name).toBe(expected);
      slowest[name] = Math.max(slowest[name] ?? 0, performance.now() - startedAt);
    };
    while (performance.now() < stop) {
      for (const address of ["198.51.100.1", ATTACKER]) {
        const own = from(address);
        const body = JSON.stringify({ event: "payment.unknown", payload: {}, day, address });
        const headers = { ...own, ...signed(body) };
        const json = bookingBody({ date: dayAhead(day) });
        await timed("health", 200, app.api("/health", { headers: own }));
        await timed("page", 200, app.api("/", { headers: own }));
        await timed("webhook", 200, app.api("/webhooks/razorpay", { body, headers }));
        if (day++ < 54) {
          await timed("booking", 201, app.api("/api/appointments", { json, headers: own }));
        }
      }
      await wait(200);
    }
    // Of a machine that also runs other tests: here it is a matter of waiting at all.
    for (const [name, ms] of Object.entries(slowest)) expect(ms, name).toBeLessThan(3_000);
    const statuses = new Set<number>();
    for (const { closed } of slow) {
      const { status, ms } = await closed;
      statuses.add(status);
      expect(ms).toBeLessThan(20_000);
    }
    expect([...statuses]).toEqual([408]);
    expect((await residentMiB()) - before).toBeLessThan(100);
    expect((await refused("request_timeout")) - refusedBefore).toBeGreaterThanOrEqual(600);
  });
});

describe("large bodies", () => {
  /** From four clients, at the same time. */
  const beginMany = (n: number, headers: Head["headers"], body: string | Buffer) =>
    times(n).map((i) =>
      begin(
        { path: "/webhooks/razorpay", headers: { ...headers, ...from(`203.0.113.${i % 4}`) } },
        body,
      ),
    );

  it("that stay open take no room from another's", async () => {
    const before = await residentMiB();
    const large = "x".repeat(2_900_000);
    const slow = beginMany(60, { "Content-Length": "3000000" }, large);
    // Two of each client stay.
    await eventually(async () => expect(await refused("unavailable")).toBe(52));
    const body = JSON.stringify({ event: "payment.unknown", payload: {}, large });
    const headers = { ...from("198.51.100.2"), ...signed(body) };
    expect((await app.api("/webhooks/razorpay", { body, headers })).status).toBe(200);
    const json = bookingBody({ date: dayAhead(60) });
    const booked = await app.api("/api/appointments", { json, headers: from("198.51.100.2") });
    expect(booked.status).toBe(201);
    expect((await residentMiB()) - before).toBeLessThan(150);
    for (const { socket } of slow) socket.destroy();
  });

  it("in a million pieces take no more memory than in one", async () => {
    const before = await residentMiB();
    const piece = Buffer.from("1\r\nx\r\n".repeat(700_000));
    const refusedBefore = await refused("unavailable");
    const slow = beginMany(4, CHUNKED, piece);
    await eventually(async () => expect(await refused("unavailable")).toBe(refusedBefore + 4));
    expect((await residentMiB()) - before).toBeLessThan(100);
    for (const { socket } of slow) socket.destroy();
  });
});
