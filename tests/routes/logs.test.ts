/** What the log says, and what it never says: it is read by more people than the database. */
import { beforeAll, describe, expect, it } from "vitest";
import { ADMIN } from "#tests/helpers/environment.ts";
import { makeOrder } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

interface Line {
  time: string;
  level: number;
  msg: string;
  requestId?: string;
  route?: string;
  path?: string;
  status?: number;
  ms?: number;
}

const PERSON = { name: "Zeenat Logwala", email: "zeenat.log@example.in", phone: "9811122233" };
const NEW_PASSWORD = "another-runway-0918";
const INVITATION = "Invitation-of-the-log-test-with-43-letters_";
const app = sharedApp({ separateProcess: true, env: { LOG_LEVEL: "debug" } });
let token: string;
let code: string;
let ids: string[];
let feed: string;
let lines: Line[];
let text: string;

beforeAll(async () => {
  const { data } = await app.api("/api/appointments", {
    json: bookingBody({ ...PERSON, date: dayAhead(11), notes: "A private question" }),
    headers: { "Idempotency-Key": "key-of-the-browser" },
  });
  const { data: order } = await makeOrder(app, data.id);
  const { payment, ...proof } = app.sandbox.pay(order.orderId);
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: data.id } });
  await fetch(`${app.origin}/booking/${data.id}?payment=failed`);
  await fetch(`${app.origin}/api/invoice/${data.id}`);
  await app.api("/find-booking", { form: { email: PERSON.email } });
  await app.api("/api/admin/login", { json: { ...ADMIN, password: "wrong-password" } });
  token = (await app.api("/api/admin/login", { json: ADMIN })).data.token;
  for (const end of ["", ".data", "?x"]) await app.api(`/admin/invitation/${INVITATION}${end}`);
  await app.api(`/api/admin/appointments/${data.id}`, { token });
  await app.api(`/api/admin/appointments?q=${encodeURIComponent(PERSON.email)}`, { token });
  feed = await readFeed();
  for (const address of [`/booking/${data.id}`, `/calendar/${feed}.ics`]) {
    // More spellings are tested beside the mask itself.
    for (const end of [".data", "%20", "?x", "/cancel."]) {
      for (const before of ["", "/x", "/Booking/.."]) await app.api(before + address + end);
    }
    await app.api(address.toUpperCase());
    await app.api(`/__manifest?paths=${address}&version=x`);
    await app.api(`${address}/${"a/".repeat(200)}`);
  }
  await app.api("/api/admin/forgot-password", { json: { email: ADMIN.email } });
  await eventually(() => {
    const mail = app.sandbox.mailbox.list().find(({ text: body }) => /\b\d{6}\b/.test(body ?? ""));
    code = /\b(\d{6})\b/.exec(mail?.text ?? "")?.[1] ?? "";
    expect(code).toMatch(/^\d{6}$/);
  });
  await app.api("/api/admin/reset-password", {
    json: { email: ADMIN.email, otp: code, newPassword: NEW_PASSWORD },
  });
  await app.api("/?index", { method: "POST", headers: { Origin: "https://evil.example" } });
  ids = [data.id, order.orderId, payment.id, proof.razorpay_signature];
  await app.sandbox.idle();
  // The log is written behind the answers.
  await eventually(() => expect(app.server!.output()).toContain('"status":403'));
  text = app.server!.output();
  lines = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
});

/** The secret in the address of a captain's calendar. */
async function readFeed(): Promise<string> {
  const { cookie } = await app.api("/api/admin/session", { method: "POST", token });
  const { text: page } = await app.api("/admin/account", { headers: { Cookie: cookie } });
  return /\/calendar\/([\w-]{20,})\.ics/.exec(page)?.[1] ?? "";
}

describe("the log", () => {
  it("is one JSON object a line, with the instant in UTC", () => {
    for (const line of lines) {
      expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(line.level).toBeGreaterThan(0);
      expect(line.msg).not.toBe("");
    }
  });

  it("has a line for every request: which, what came of it, how long", () => {
    const requests = lines.filter(({ msg }) => msg === "request");
    expect(requests.length).toBeGreaterThan(12);
    for (const request of requests) {
      expect(request.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(request.status).toBeGreaterThan(199);
      expect(request.ms).toBeGreaterThan(0);
    }
    const seen = requests.map(({ route, status }) => `${route} ${status}`);
    expect(seen).toContain("/booking/:id 200");
    expect(seen).toContain("/api/admin/appointments/:id 200");
    // A refused sign-in and another site's form stand there too.
    expect(seen).toContain("/api/admin/login 401");
    expect(seen).toContain("undefined 403");
  });

  it("has the stack of a bug, and the page has none of it", async () => {
    const id = ids[0]!;
    app.db.runRaw("ALTER TABLE appointment RENAME TO appointment_away");
    const path = `/booking/${id}?payment=checking`;
    const page = await fetch(app.origin + path, { headers: { Accept: "text/html" } });
    const call = await makeOrder(app, id);
    app.db.runRaw("ALTER TABLE appointment_away RENAME TO appointment");
    app.db.runRaw("ALTER TABLE admin_session RENAME TO admin_session_away");
    const gate = await app.api("/api/admin/appointments", { token });
    app.db.runRaw("ALTER TABLE admin_session_away RENAME TO admin_session");
    const html = await page.text();
    expect([page.status, call.status, gate.status]).toEqual([500, 500, 500]);
    expect(html).toContain("This is our mistake, not yours.");
    expect(html).toContain(`href="${path}">Load this page again`);
    for (const { code, message, headers } of [call, gate]) {
      expect(code).toBe("internal");
      expect(message).toContain(`Reference: ${headers.get("x-request-id")}`);
    }
    for (const shown of [html, call.text, gate.text]) {
      expect(shown).not.toMatch(/no such table|SqliteError|\.js:\d+|\bat \w+ \(/);
    }
    await eventually(() => {
      const bugs = app
        .server!.output()
        .split("\n")
        .filter((line) => line.includes('"msg":"bug"'))
        .map((line) => JSON.parse(line) as { err: { stack: string }; requestId: string });
      expect(bugs.length).toBeGreaterThan(2);
      for (const { err } of bugs) expect(err.stack).toMatch(/no such table.*\n\s+at /s);
      expect(bugs.map(({ requestId }) => requestId)).toContain(page.headers.get("x-request-id"));
    });
  });

  it("never holds a secret, a code, a token or a password", () => {
    const { credentials } = app.sandbox;
    for (const secret of [
      ...Object.values(credentials).filter((value) => value !== credentials.keyId),
      app.env.SESSION_SECRET!,
      ADMIN.password,
      "wrong-password",
      NEW_PASSWORD,
      token,
      INVITATION,
      INVITATION.toLowerCase(),
      "key-of-the-browser",
      ids.at(-1)!,
    ]) {
      expect(text.includes(secret), secret).toBe(false);
    }
    expect(new RegExp(`\\b${code}\\b`).test(text), "the code").toBe(false);
  });

  it("never holds a person, nor the private address of a booking", () => {
    for (const word of [...Object.values(PERSON), "Logwala", "A private question", ADMIN.email]) {
      expect(text.includes(word), word).toBe(false);
      expect(text.includes(encodeURIComponent(word)), word).toBe(false);
    }
    expect(text).not.toContain(ids[0]);
  });

  it("shows of an address the words of ours alone, however it was written", () => {
    const paths = new Set(lines.map(({ path }) => path));
    for (const path of ["/booking/:id", "/calendar/:id", "/:id/booking/:id", "/booking/:id/:id"]) {
      expect(paths).toContain(path);
    }
    expect(feed.length).toBeGreaterThan(19);
    for (const secret of [ids[0]!, feed]) {
      expect(text.toLowerCase().includes(secret.toLowerCase()), secret).toBe(false);
    }
  });
});
