/** What a program that asks too much meets, and what it cannot do to the people beside it. */
import { describe, expect, it } from "vitest";
import { bookAndPay } from "#tests/support/admin.ts";
import { bookingBody, bookingForm, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { signedBy } from "#tests/support/signed-by.ts";

const app = sharedApp({ env: { RATE_LIMIT: undefined, TRUSTED_PROXY_HEADER: "fly-client-ip" } });

const owner = sharedAdmin(app);

let lastAddress = 0;
/** Headers of a client that no other test uses. */
const client = () => ({ "Fly-Client-IP": `198.51.100.${++lastAddress}` });

const times = (n: number) => Array.from({ length: n }, (_, i) => i);
const countAppointments = () =>
  app.db.firstRaw<{ n: number }>("SELECT count(*) AS n FROM appointment")!.n;

const postForm = (form: Record<string, string>, more: Record<string, string>) =>
  app.api("/?index", { form, headers: { Accept: "text/html", ...more } });

describe("limits by client address", () => {
  it("answer calls beyond them with 429, the seconds to wait and a sentence", async () => {
    const headers = client();
    const before = countAppointments();
    const ask = (path = "/api/appointments") => app.api(path, { json: { name: "x" }, headers });
    for (const _ of times(60)) expect((await ask()).status).toBe(400);
    const refused = await ask();
    expect(refused).toMatchObject({
      status: 429,
      text: expect.stringMatching(/^{"status":"error"/),
      code: "rate_limited",
      message: "Too many requests from your network. Please wait a minute and try again.",
    });
    expect(refused.headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.headers.get("cache-control")).toBe("private, no-store");
    expect(countAppointments()).toBe(before);
    // Another spelling of the address is the same call.
    expect((await ask("/API/./appointments/")).status).toBe(429);
    // The neighbour books.
    const other = await app.api("/api/appointments", { json: bookingBody(), headers: client() });
    expect(other.status).toBe(201);
  });

  it("answer a form beyond them with a page: who comes back from paying reads that the money is not lost", async () => {
    const headers = { Accept: "text/html", ...client() };
    const returnFrom = () =>
      app.api("/payments/callback?booking=abcdefghijkmnpqrstuvwxyz23", {
        form: { razorpay_payment_id: "x" },
        headers,
      });
    for (const _ of times(60)) expect((await returnFrom()).status).toBe(404);
    const refused = await returnFrom();
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Your payment is not lost");
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("never touch a validly signed webhook, whatever came before it", async () => {
    const headers = client();
    const send = (body: string, secret: string) =>
      app.api("/webhooks/razorpay", {
        body,
        headers: {
          ...headers,
          "Content-Type": "application/json",
          "X-Razorpay-Signature": signedBy(secret, body),
          "X-Razorpay-Event-Id": body,
        },
      });
    const bodyOf = (i: number) => JSON.stringify({ event: "payment.unknown", payload: {}, i });
    // Those that prove nothing are counted by themselves, those of WhatsApp with them, and end.
    for (const i of times(30)) {
      const wrong = await Promise.all(times(20).map((j) => send(bodyOf(20 * i + j), "wrong")));
      expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([400]));
    }
    for (const refused of [
      await send(bodyOf(600), "wrong"),
      await app.api("/webhooks/whatsapp", { body: "{}", headers }),
    ]) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    for (const i of times(3)) {
      const answer = await send(bodyOf(1000 + i), app.sandbox.credentials.webhookSecret);
      expect(answer.status).toBe(200);
    }
  });
});

describe("holds", () => {
  it("of one contact from one network end at three, and elsewhere go on", async () => {
    const person = { email: "one.person@example.in", date: dayAhead(30), counselor: ROHAN };
    const headers = client();
    for (const timeSlot of ["09:00", "10:00", "11:00"]) {
      const json = bookingBody({ ...person, timeSlot });
      expect((await app.api("/api/appointments", { json, headers })).status).toBe(201);
    }
    const json = bookingBody({ ...person, timeSlot: "14:00" });
    const refused = await app.api("/api/appointments", { json, headers });
    expect([refused.status, refused.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const elsewhere = await app.api("/api/appointments", { json, headers: client() });
    expect(elsewhere.status).toBe(201);
    const form = await postForm(bookingForm({ ...person, timeSlot: "15:00" }), headers);
    expect(form.status).toBe(429);
    expect(Number(form.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(form.text).toContain("already holding 3 unpaid times");
  });
});

it("a guess too many at the email address by which answers open is told how long to wait", async () => {
  const questions = [{ label: "Why?", kind: "text" }];
  await owner("/packages/30", { method: "PUT", json: { questions } });
  const { id } = await bookAndPay(app, { date: dayAhead(34) });
  const form = { intent: "open", email: "guess@example.in" };
  const headers = { Accept: "text/html", ...client() };
  const guess = () => app.api(`/booking/${id}/prepare`, { form, headers });
  for (const _ of times(5)) expect((await guess()).status).toBe(400);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
});

it.each([
  ["/admin", { username: "nobody", password: "not-it" }],
  ["/admin/reset-password", { intent: "send", email: "nobody@elsewhere.example" }],
])("a try too many at the form of %s is told how long to wait", async (path, form) => {
  const headers = { Accept: "text/html", ...client() };
  for (const _ of times(70)) {
    const answer = await app.api(path, { form, headers });
    if (answer.status !== 429) continue;
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("content-type")).toContain("text/html");
    return;
  }
  expect.unreachable("seventy tries passed");
});

describe("the field that nobody sees", () => {
  it("stands in the form, out of every reader's way", async () => {
    const html = (await app.api("/")).text;
    expect(html).toMatch(/<div inert="" aria-hidden="true"[^>]*>.*?name="website"/s);
    expect(html).toMatch(/<input[^>]*tabindex="-1"[^>]*autoComplete="off"[^>]*>/i);
  });

  it("books nothing when a program has filled it, and says how a person goes on", async () => {
    const before = countAppointments();
    const form = bookingForm({ date: dayAhead(33) });
    const posted = await postForm({ ...form, website: "https://spam.example" }, client());
    expect(posted.status).toBe(429);
    expect(posted.headers.get("retry-after")).toBe("60");
    expect(posted.text).toContain("Please load the page again and try in a minute.");
    expect(posted.text).toContain(form.name!);
    expect(posted.text).not.toContain("spam.example");
    const json = { ...bookingBody({ date: dayAhead(33) }), website: "x" };
    const called = await app.api("/api/appointments", { json, headers: client() });
    expect([called.status, called.code]).toEqual([429, "rate_limited"]);
    expect(called.headers.get("retry-after")).toBe("60");
    expect(countAppointments()).toBe(before);
  });
});
