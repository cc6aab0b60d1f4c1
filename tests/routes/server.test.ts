/** The process around the routes: proxy, addresses, headers, files, log, start and stop. */
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { startTestApp } from "#tests/helpers/app.ts";
import { ASHA, bookingForm, dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { listening } from "#tests/support/listening.ts";

describe("behind a TLS-terminating proxy", () => {
  const PUBLIC = "https://book.example.in";
  const METRICS_TOKEN = "a-token-of-tests";
  const app = sharedApp({
    env: {
      PUBLIC_URL: PUBLIC,
      SAMPLE_DOCUMENTS: "1",
      RATE_LIMIT: undefined,
      TRUSTED_PROXY_HEADER: "fly-client-ip",
      METRICS_TOKEN,
    },
  });

  /** What such a proxy passes on: plain HTTP, an inner host, the client's address in its header. */
  const viaProxy = (body: string, headers: Record<string, string>) =>
    post(app.origin, "/?index", body, {
      Host: "10-0-0-7.internal:3000",
      "Fly-Client-IP": "203.0.113.9",
      "X-Forwarded-Proto": "https",
      "Content-Type": "application/x-www-form-urlencoded",
      ...headers,
    });

  it("accepts the booking form posted by a browser at the public address", async () => {
    const form = bookingForm({ date: dayAhead(5) });
    const answer = await viaProxy(new URLSearchParams(form).toString(), {
      Origin: PUBLIC,
      "Sec-Fetch-Site": "same-origin",
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(
      /^(https:\/\/book\.example\.in)?\/booking\/[a-z0-9]{26}/,
    );
    expect(answer.headers["strict-transport-security"]).toContain("max-age");
    expect(String(answer.headers["set-cookie"])).toContain("Secure");
    const row = app.db.firstRaw<{ client_address: string }>(
      "SELECT client_address FROM appointment WHERE email = ?",
      [form.email],
    );
    expect(row?.client_address).toBe("203.0.113.9");
  });

  it("tells its figures to who has the token, and to nobody else", async () => {
    const wrong = await app.api("/metrics", { token: "a-token-of-other" });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await app.api("/metrics")).status).toBe(401);
    const right = await app.api("/metrics", { token: METRICS_TOKEN });
    expect([right.status, right.text]).toEqual([200, expect.stringContaining("# TYPE ")]);
    // The name of a scheme has no case.
    const headers = { Authorization: `bearer ${METRICS_TOKEN}` };
    expect((await app.api("/metrics", { headers })).status).toBe(200);
    const bare = { headers: { Authorization: METRICS_TOKEN } };
    expect((await app.api("/metrics", bare)).status).toBe(401);
  });

  it("refuses another site's form", async () => {
    const answer = await viaProxy("intent=book", {
      Origin: "https://evil.example",
      "Sec-Fetch-Site": "cross-site",
    });
    expect(answer.status).toBe(403);
  });
});

describe("answers", () => {
  const app = sharedApp();

  it("say that the service is well and nothing more", async () => {
    const answer = await app.api("/health");
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });

  it("hold no figures without a token in the configuration", async () => {
    expect((await app.api("/metrics")).status).toBe(404);
    expect((await app.api("/metrics", { token: "" })).status).toBe(404);
  });

  it("echo nothing to TRACE", async () => {
    const methods = { "/": "GET, HEAD, POST", "/api/slots": "GET, HEAD", "/privacy": "GET, HEAD" };
    for (const [path, allow] of Object.entries(methods)) {
      const answer = await post(app.origin, path, "", { "X-Secret": "not to be echoed" }, "TRACE");
      expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
      expect(answer.text).not.toContain("echoed");
    }
  });

  it("are one refusal to a message whose end can be read in two ways", async () => {
    const inner = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const framing of [
      "Content-Length: 5\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 0",
      "Content-Length: 5\r\nContent-Length: 60",
      "Content-Length: 5, 60",
      "Content-Length: +5",
      "Transfer-Encoding: chunked, identity",
      "Content-Length: 5\r\nTransfer-Encoding: xchunked",
    ]) {
      const head = `POST / HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`;
      const answers = await answersTo(app.origin, `${head}0\r\n\r\n${inner}`);
      expect(answers.match(/HTTP\/1\.1 \d+/g), framing).toEqual(["HTTP/1.1 400"]);
    }
  });

  it("take the first of a repeated query, and no form with a repeated field", async () => {
    const [first, second] = [dayAhead(9), dayAhead(10)];
    const query = `counselor=${ASHA}&date=${first}&date=nonsense`;
    expect((await app.api(`/api/slots?${query}`)).status).toBe(200);
    const form = bookingForm({ date: first, timeSlot: "15:00" });
    const twice = [...Object.entries(form), ["date", second]];
    expect((await app.api("/?index", { form: twice })).status).toBe(400);
    expect((await app.api("/?index", { form })).status).toBe(303);
    const rows = app.db.allRaw("SELECT on_date FROM appointment WHERE email = ?", [form.email]);
    expect(rows).toEqual([{ on_date: first }]);
  });

  it("say Page Not Found with status 404", async () => {
    for (const path of [
      "/nothing",
      "/booking/abcdefghijkmnpqrstuvwxyz23",
      "/booking/x/y",
      "/%ff",
    ]) {
      const answer = await app.api(path);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).toContain("Page Not Found");
    }
  });

  it("tell a client that keeps sending that it is too much", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const sent = httpRequest(
        `${app.origin}/api/appointments`,
        {
          method: "POST",
          headers: { "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
        },
        (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        },
      );
      sent.on("error", reject);
      let left = 100;
      const more = () => {
        if (left-- === 0) return sent.end();
        sent.write("x".repeat(10_000), () => setImmediate(more));
      };
      more();
    });
    expect(status).toBe(413);
  });
});

describe("the start", () => {
  it("says that its port is in use, in one line, with status 1", async () => {
    const busy = createServer();
    const port = await listening(busy);
    await expect(
      startTestApp({ separateProcess: true, env: { PORT: String(port) } }),
    ).rejects.toThrow(/PORT/);
    busy.close();
  });
});

/** All that comes back before the connection is closed. */
function answersTo(origin: string, message: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname, () => socket.write(message));
  return text(socket);
}

/** As it is written here: `fetch` sends neither another host nor TRACE. */
async function post(
  origin: string,
  path: string,
  body: string,
  headers: Record<string, string>,
  method = "POST",
) {
  const sent = httpRequest(origin + path, { method, headers }).end(body);
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, text: await text(reply) };
}
