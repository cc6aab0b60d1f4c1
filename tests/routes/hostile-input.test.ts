/** What no client of ours would send, in addresses, names of fields and JSON: refused at once, and nobody else waits. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { Watch } from "#tests/fuzz/watch.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp({ separateProcess: true });

interface Answer {
  status: number;
  text: string;
}

let version: string;
beforeAll(async () => {
  const html = (await app.api("/find-booking")).text;
  version = /"version":\s*"(\w+)"/.exec(html)?.[1] ?? "";
  expect(version).not.toBe("");
});

/** As it is written here: `fetch` would put it into the usual spelling. */
async function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { port } = new URL(app.origin);
  const signal = AbortSignal.timeout(20_000);
  const sent = request({ port, path, headers, agent: false, signal }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

/**
 * The longest that another client waits for `/health` while `work` runs, in milliseconds, without
 * the time in which the machine ran other processes.
 */
async function longestWaitWhile(work: () => Promise<void>): Promise<number> {
  const watch = new Watch({ port: Number(new URL(app.origin).port), pid: app.server!.pid });
  try {
    await eventually(() => expect(watch.figures.answers).toBeGreaterThan(0));
    await work();
    expect(watch.breaches.filter(({ what }) => !what.includes("late"))).toEqual([]);
    return watch.figures.ms;
  } finally {
    await watch.stop();
  }
}

const LONG = 40_000;
const PARTS = ["a/", "%61", "%2f", "../", "./", "/", "a", ".", "a.js/", "%25", "é", ".data", "%"];

describe("an address", () => {
  it("of before, over the calendar, leads on as it was sent", async () => {
    const { led } = await app.api("/admin/calendar/%E2%82%AC%3F?list=view%3Dweek");
    expect(led).toEqual([302, "/admin/%E2%82%AC%3F?list=view%3Dweek"]);
  });

  it("that is longer than any of ours is 414 at once", async () => {
    const work = async () => {
      for (const start of ["/", "/api/admin/", "/admin?"]) {
        for (const part of PARTS) {
          const raw = encodeURI(part).replaceAll("%25", "%");
          const path = start + raw.repeat(LONG / raw.length);
          const answer = await ask(path);
          expect(answer.status, path.slice(0, 30)).toBe(414);
        }
      }
      for (const query of [
        "&".repeat(LONG),
        "a&".repeat(70),
        "paths=/&".repeat(900),
        "q[]=1&".repeat(99),
      ]) {
        for (const path of ["/", "/api/slots", "/favicon.svg"]) {
          expect((await ask(`${path}?${query}`)).status, path + query.slice(0, 9)).toBe(414);
        }
      }
    };
    expect(await longestWaitWhile(work)).toBeLessThan(1_000);
  });

  it("that is too long says so to a program and to a person", async () => {
    const call = await ask(`/api/${"a".repeat(300)}`);
    expect(JSON.parse(call.text)).toMatchObject({ status: "error", code: "uri_too_long" });
    const page = await ask(`/${"a".repeat(300)}`, { Accept: "text/html" });
    expect(page.text).toContain("This address is longer than any of ours.");
  });

  it("of every file of ours is short enough", () => {
    const folder = join(import.meta.dirname, "../../build/client");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      expect(file.length, file).toBeLessThan(128);
      expect(file.split("/").length, file).toBeLessThan(8);
    }
  });
});

describe("the list of routes that a browser asks for", () => {
  const manifest = (paths: string[], asked = version) =>
    ask(`/__manifest?${new URLSearchParams({ paths: paths.join(","), version: asked })}`);
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => `/admin/appointments/${`${i}`.padStart(26, "a")}/edit`);

  it("is answered for the links of a page, as many as the browser's own limit lets through", async () => {
    const paths = ["/", "/admin", "/admin/appointments", ...rows(110)];
    const query = new URLSearchParams({ paths: paths.join(","), version });
    expect(`${app.origin}/__manifest?${query}`.length).toBeLessThan(7_680);
    const answer = await manifest(paths);
    expect(answer.status).toBe(200);
    expect(Object.keys(JSON.parse(answer.text))).toContain(
      "routes/admin/appointments/appointment-edit",
    );
    expect((await manifest(["/admin/account"], "another")).status).toBe(204);
  });
});

const K = 1024;
/** Those that a form parser might misread; more are tested beside `app/http/form.ts`. */
const HOSTILE = [
  ...["notes[99999999]", "__proto__.x", "__intent__", "", "\u0000", "\ud800"],
  ...["a.".repeat(9_000), "a[0]".repeat(7_000)],
];
/** Thousands of fields in the 64 KiB that a form may have. */
const FLOODS = ["a&", "email&", "notes[9]=1&", "a.b=1&", "%61&", "&"].map((part) =>
  part.repeat((64 * K) / part.length),
);

async function post(path: string, body: string | FormData, accept = "text/html"): Promise<Answer> {
  const response = await fetch(app.origin + path, {
    method: "POST",
    body,
    headers: {
      Accept: accept,
      ...(typeof body === "string" && { "Content-Type": "application/x-www-form-urlencoded" }),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, text: await response.text() };
}

describe("a form with names that are not its own", () => {
  it("is refused at /find-booking at once, and nobody else waits", async () => {
    const path = "/find-booking";
    const sendAll = async () => {
      for (const name of HOSTILE) {
        const label = name.slice(0, 20);
        const fields = [
          ["email", "meera@example.in"],
          [name, `{"type":"validate"}`],
        ];
        const urlencoded = String(new URLSearchParams(fields));
        const form = new FormData();
        form.append(name, "1");
        const page = await post(path, urlencoded);
        expect(page.status, label).toBe(400);
        expect(page.text, label).toContain("This form is not the one on our page.");
        expect(page.text, label).toContain("<title>");
        const fetched = await post(`${path}.data`, urlencoded, "*/*");
        expect([fetched.status, fetched.text.includes("<")], label).toEqual([400, false]);
        // A browser's FormData cannot say the empty name in a way that is read back.
        if (name.trim() !== "") expect((await post(path, form)).status, label).toBe(400);
      }
      for (const flood of FLOODS) {
        expect((await post(path, flood)).status, flood.slice(0, 8)).toBe(400);
      }
    };
    expect(await longestWaitWhile(sendAll)).toBeLessThan(1_000);
  });

  it("is answered by a page that has no form as any post is", async () => {
    for (const [path, status] of [
      ["/privacy", 405],
      ["/nothing", 404],
    ] as const) {
      expect((await post(path, "notes=1")).status, path).toBe(status);
    }
  });
});

describe("a call", () => {
  it("whose JSON is nested without end or names what every object has is refused", async () => {
    const deep = (open: string, close: string) => {
      const times = (64 * K - 200) / (open.length + close.length);
      return `${open.repeat(times)}1${close.repeat(times)}`;
    };
    const values = [deep("[", "]"), deep('{"__proto__":', "}"), '{"toString":1}'];
    const bodies = [
      ...["[".repeat(64 * K), '{"":'.repeat(16_000), ...values, '{"__proto__":{"email":"x"}}'],
      ...values.flatMap((value) => [`{"name":${value}}`, `{"appointmentId":${value}}`]),
      `{${Array.from({ length: 5_000 }, (_, i) => `"${i}":1`).join()}}`,
    ];
    const work = async () => {
      for (const path of ["appointments", "payments/verify", "admin/login"]) {
        for (const body of bodies) {
          const answer = await app.api(`/api/${path}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "Idempotency-Key": "one-of-tests" },
            body: body.slice(0, 64 * K),
          });
          expect(answer.status, `${path} ${body.slice(0, 20)}`).toBe(400);
        }
      }
      for (const path of ["razorpay", "whatsapp"]) {
        const answer = await app.api(`/webhooks/${path}?hub.mode=subscribe`, {
          method: "POST",
          body: bodies[0],
        });
        expect(answer.status, path).toBeLessThan(500);
      }
    };
    expect(await longestWaitWhile(work)).toBeLessThan(1_000);
  });
});
