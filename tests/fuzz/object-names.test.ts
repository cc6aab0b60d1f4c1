/**
 * Names that every object has, in every field, query, address, cookie and webhook: a look-up by them
 * on a plain object finds something. Never a fault, and afterwards everything can still be read.
 */
import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { adminOf, book, bookAndPay, pay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { expectEverything } from "#tests/support/everything.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { FIELDS } from "./fuzz-targets.ts";
import { type KnownValues, knownValues } from "./values.ts";

/** An object, a function with a prototype of its own, and one without. */
const NAMES = ["__proto__", "constructor", "toString"];
/** In `npm test` the fields of a form take the names in turn, beginning with one or another. */
const IS_LONG = process.env.FUZZ_RUNS !== undefined;

const app = sharedApp({ env: { LOG_LEVEL: "silent" } });
let token: string;
let id: string;
let email: string;
const faults: string[] = [];
beforeAll(async () => {
  ({ token } = await adminOf(app));
  await bookAndPay(app, { date: dayAhead(30), notes: "A question" });
});

async function ask(path: string, init: RequestInit = {}): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, ...init.headers };
  const answer = await fetch(app.origin + path, { redirect: "manual", ...init, headers });
  const text = await answer.text();
  if (answer.status >= 500 || text.includes("<!--$!-->")) {
    const sent = typeof init.body === "string" ? init.body : "";
    faults.push(`${init.method ?? "GET"} ${path} → ${answer.status} ${sent.slice(0, 300)}`);
  }
}

const expectNoFaults = () => expect(faults.splice(0)).toEqual([]);

let day = 13;

/** The session and the booking at hand may have been ended by what was sent. */
async function freshRows(): Promise<void> {
  day = day === 44 ? 13 : day + 1;
  const live = app.db.firstRaw("SELECT 1 FROM appointment WHERE id = ? AND status <> 'cancelled'", [
    id ?? "",
  ]);
  if (live) return;
  const booked = await book(app, { date: dayAhead(45), timeSlot: "15:00" });
  id = booked.id;
  email = booked.body.email;
}

/** So that one wrong field at a time gets as far as it can. */
function rightValues(): KnownValues {
  const password = ["quiet-runway-0918"];
  return {
    ...knownValues([id]),
    date: [dayAhead(day)],
    email: [email],
    intent: ["password"],
    newPassword: password,
    confirmPassword: password,
    // These may be left out.
    pick: [],
    version: [],
  };
}

describe("names that every object has", () => {
  it.each(Object.entries(FIELDS))("in every field of %s", async (key, fields) => {
    const [method = "", path = ""] = key.split(" ");
    for (const [turn, field] of fields.entries()) {
      for (const name of IS_LONG ? NAMES : [NAMES[(turn + key.length) % NAMES.length]!]) {
        await freshRows();
        const right = rightValues();
        const wrong = Array.isArray(right[field]?.[0]) ? [name] : name;
        const body = fields
          .map((one): [string, unknown] => [one, one === field ? wrong : right[one]?.[0]])
          .filter(([, value]) => value !== undefined);
        const to = path.replace(/:\w+/, id);
        if (path.startsWith("/api/") || path.startsWith("/webhooks/")) {
          const headers = { "Content-Type": "application/json", "Idempotency-Key": name };
          await ask(to, { method, headers, body: JSON.stringify(Object.fromEntries(body)) });
        } else {
          const pairs = body.flatMap(([one, value]) => [value].flat().map((v) => [one, String(v)]));
          const headers = { "Content-Type": "application/x-www-form-urlencoded" };
          await ask(to, { method, headers, body: new URLSearchParams(pairs).toString() });
        }
      }
    }
    expectNoFaults();
  });

  it("in signed webhooks", async () => {
    const { webhookSecret, whatsappAppSecret } = app.sandbox.credentials;
    const sign = (body: string, secret: string) =>
      createHmac("sha256", secret).update(body).digest("hex");
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
        headers: { "X-Hub-Signature-256": `sha256=${sign(report, whatsappAppSecret)}` },
      });
      for (const event of [name, `payment.dispute.${name}`, `refund.${name}`]) {
        const entity = { id: name, payment_id: name, amount: 1, status: name };
        const payload = { dispute: { entity }, [name]: { entity } };
        const body = JSON.stringify({ event, payload });
        const headers = { "X-Razorpay-Signature": sign(body, webhookSecret) };
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
    const held = app.db.allRaw<{ id: string }>(
      `SELECT id FROM appointment WHERE status = 'pending_payment'
       ORDER BY name IN ('__proto__', 'constructor') DESC, notes DESC, id LIMIT 6`,
    );
    for (const one of held) expect((await pay(app, one.id)).status).toBe("confirmed");
    await expectEverything(app, token);
    await eventually(() => {
      const unmade = "SELECT kind, last_error FROM message WHERE last_error LIKE 'Could not%'";
      expect(app.db.allRaw(unmade)).toEqual([]);
      expect(app.db.firstRaw("SELECT 1 FROM message WHERE state = 'queued'")).toBeUndefined();
    });
  });
});
