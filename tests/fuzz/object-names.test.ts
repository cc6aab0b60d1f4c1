/**
 * Names that every object has, in every field of calls, forms and webhooks: a look-up by them on a
 * plain object finds something. Never a fault, and afterwards everything can still be read.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { adminOf, bookAndPay, pay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { expectEverything } from "#tests/support/everything.ts";
import { formsOf } from "#tests/support/filled-form.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { CALL_BODIES } from "./call-bodies.ts";
import { PATHS } from "./fuzz-targets.ts";
import { type KnownValues, knownValues, textOf } from "./values.ts";

/** An object, a function with a prototype of its own, and one without. */
const NAMES = ["__proto__", "constructor", "toString"];
/** In `npm test` a call takes one of the names, and of a form's fields every third. */
const IS_LONG = process.env.FUZZ_RUNS !== undefined;

const app = sharedApp({ env: { LOG_LEVEL: "silent" } });
let token: string;
/** Of a paid booking, and of its customer. */
let id: string;
let customer: string;
const faults: string[] = [];
let known: KnownValues;
let calls = 0;
beforeAll(async () => {
  ({ token } = await adminOf(app));
  const paid = await bookAndPay(app, { date: dayAhead(88), notes: "A question" });
  id = paid.id;
  known = { ...knownValues([id]), email: [paid.body.email] };
  customer = app.db.firstRaw<{ id: string }>("SELECT id FROM customer")!.id;
});

/** Calls that take no body, or a picture. */
const BODILESS = /\/(logout|session|resend|retry|portrait|logo|refresh|erase|invitation|nothing)$/;

const asAdmin = () => ({ Authorization: `Bearer ${token}` });

const VALUES = { ":key": "asha", ":minutes": "30", ":username": "nobody" };
const withValues = (path: string, values: Record<string, string> = VALUES) =>
  Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), path);

async function ask(path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(app.origin + path, { redirect: "manual", ...init });
  const text = await answer.text();
  if (answer.status >= 500 || text.includes("<!--$!-->")) {
    const sent = typeof init.body === "string" ? init.body : "";
    faults.push(`${init.method ?? "GET"} ${path} → ${answer.status} ${sent.slice(0, 300)}`);
  }
}

const expectNoFaults = () => expect(faults.splice(0)).toEqual([]);

/** The body with `name` in the place of each of its values, and as a key. */
function* spoilt(body: unknown, name: string): Generator<unknown> {
  yield name;
  if (!(body instanceof Object)) return;
  for (const [key, value] of Object.entries(body)) {
    for (const bad of spoilt(value, name)) {
      yield Array.isArray(body) ? body.with(Number(key), bad) : { ...body, [key]: bad };
    }
  }
  yield Array.isArray(body) ? [...body, name] : { ...body, ...JSON.parse(`{"${name}":"x"}`) };
}

/** Of each form the fields, by the address that it is sent to; forms alike are one. */
const tried = new Set<string>();

/** As a browser sends each form of the page, with a name in one field after the other. */
async function spoilForms(path: string, headers: HeadersInit): Promise<void> {
  const page = await fetch(app.origin + path, { headers, redirect: "manual" });
  for (const { action, fields } of formsOf(await page.text())) {
    const values = new Map(
      fields.toReversed().map(({ name, value }) => [name, value || textOf(known[name]?.[0] ?? "")]),
    );
    const to = new URL(action || path, app.origin + path);
    const kind = `${to.pathname} ${[...values.keys()]}`;
    if (tried.has(kind) || to.pathname === "/admin/logout") continue;
    tried.add(kind);
    // Of rows that are alike the first.
    const first = [...values.keys()].filter((name) => !/[a-z][B-Z]$/.test(name));
    for (const [turn, field] of first.entries()) {
      // In short a third of the fields, with one name each.
      if (!IS_LONG && turn % 3 !== kind.length % 3) continue;
      for (const name of IS_LONG ? NAMES : [NAMES[turn % NAMES.length]!]) {
        const body = new URLSearchParams([...values, [field, name]]);
        if (values.has(field)) body.set(field, name);
        await ask(to.pathname + to.search, {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
          body: body.toString(),
        });
      }
    }
  }
}

describe("names that every object has", () => {
  it.each(Object.entries(CALL_BODIES))("in every field of %s", async (call, bodyOf) => {
    const [method = "", path = ""] = call.split(" ");
    const names = IS_LONG ? NAMES : [NAMES[call.length % NAMES.length]!];
    for (const name of names) {
      const ways = [...spoilt(bodyOf(calls), name)].length;
      for (let way = 0; way <= ways; way++) {
        const right = bodyOf(++calls);
        const body = way === ways ? right : [...spoilt(right, name)][way];
        const key = { "Content-Type": "application/json", "Idempotency-Key": `${name}${calls}` };
        const headers = { ...asAdmin(), ...key };
        await ask(path.replace(":id", id), { method, headers, body: JSON.stringify(body) });
      }
    }
    expectNoFaults();
  });

  it("are tried in every call that has a body", async () => {
    const writes = PATHS.filter((path) => path.startsWith("/api/")).map(async (path) => {
      const { headers } = await fetch(app.origin + withValues(path), {
        method: "OPTIONS",
        headers: asAdmin(),
      });
      const methods = (headers.get("Allow") ?? "").match(/POST|PUT|PATCH/g) ?? [];
      return methods.map((method) => `${method} ${withValues(path)}`);
    });
    const all = (await Promise.all(writes)).flat();
    expect(all.filter((call) => !CALL_BODIES[call] && !BODILESS.test(call))).toEqual([]);
  });

  it("in every field of every form", async () => {
    for (const path of ["/admin", "/admin/reset-password"]) await spoilForms(path, {});
    for (const path of PATHS.filter((one) => !one.startsWith("/api/"))) {
      const ids = { ...VALUES, "customers/:id": `customers/${customer}`, ":id": id };
      await spoilForms(withValues(path, ids).replace(/:\w+/g, "x"), asAdmin());
    }
    expect(tried.size).toBeGreaterThan(40);
    expectNoFaults();
  });

  it("in signed webhooks", async () => {
    const { webhookSecret, whatsappAppSecret } = app.sandbox.credentials;
    const message = app.db.firstRaw<{ id: string; transport: string }>(
      `SELECT id, transport_id AS transport FROM message
       WHERE channel = 'whatsapp' AND transport_id IS NOT NULL`,
    );
    for (const name of NAMES) {
      const status = { id: message?.transport ?? "wamid.x", status: name, timestamp: name };
      const value = { statuses: [status], messages: [{ from: name, text: { body: name } }] };
      const report = JSON.stringify({ object: "x", entry: [{ changes: [{ value }] }] });
      await ask("/webhooks/whatsapp", {
        method: "POST",
        body: report,
        headers: { "X-Hub-Signature-256": `sha256=${signedBy(whatsappAppSecret, report)}` },
      });
      for (const event of [name, `payment.dispute.${name}`, `refund.${name}`]) {
        const entity = { id: name, payment_id: name, amount: 1, status: name };
        const payload = { dispute: { entity }, [name]: { entity } };
        const body = JSON.stringify({ event, payload });
        const headers = { "X-Razorpay-Signature": signedBy(webhookSecret, body) };
        await ask("/webhooks/razorpay", { method: "POST", body, headers });
      }
    }
    await eventually(() => {
      const due = "SELECT count(*) AS count FROM provider_event WHERE state = 'new'";
      expect(app.db.firstRaw<{ count: number }>(due)?.count).toBe(0);
    });
    expectNoFaults();
  });

  it("leave every list, page, document, file and mail whole, also once such bookings are paid", async () => {
    const names = NAMES.map((name) => `'${name}'`).join();
    const odd = (column: string) =>
      app.db.allRaw<{ id: string }>(
        `SELECT id FROM appointment WHERE status = 'pending_payment' AND ${column} IN (${names}) LIMIT 3`,
      );
    const [named, noted] = [odd("name"), odd("notes")];
    expect([named.length, noted.length]).not.toContain(0);
    const held = [...named, ...noted.filter(({ id: one }) => !named.some((two) => two.id === one))];
    for (const one of held) expect((await pay(app, one.id)).status).toBe("confirmed");
    await expectEverything(app, token);
    await eventually(() => {
      const unmade = "SELECT kind, last_error FROM message WHERE last_error LIKE 'Could not%'";
      expect(app.db.allRaw(unmade)).toEqual([]);
      expect(app.db.firstRaw("SELECT 1 FROM message WHERE state = 'queued'")).toBeUndefined();
    });
  });
});
