/** What everybody reads while no byte can be written, and that nothing is written by half. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { type AdminApi, adminOf, book, bookAndPay, makeOrder } from "#tests/support/admin.ts";
import { allRows } from "#tests/support/all-rows.ts";
import { allSent } from "#tests/support/all-sent.ts";
import { ASHA, bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { openSmallDisk } from "./small-disk.ts";

const NOTHING_DONE = /nothing was booked or changed\. Please try again in a few minutes\./;

const disk = openSmallDisk();
let app: TestApp;
let admin: AdminApi;
let cookie: string;
let paid: Awaited<ReturnType<typeof bookAndPay>>;
let unpaid: Awaited<ReturnType<typeof book>>;

describe.skipIf(!disk)("a full disk", () => {
  beforeAll(async () => {
    app = await startTestApp({
      separateProcess: true,
      env: { DATABASE_PATH: join(disk!.folder, "test.db") },
    });
    admin = await adminOf(app);
    const entered = await admin("/session", { method: "POST" });
    const cookies = entered.headers.getSetCookie().map((set) => set.split(";")[0]);
    cookie = cookies.join("; ");
    paid = await bookAndPay(app, { date: dayAhead(10) });
    unpaid = await book(app, { date: dayAhead(11) });
    await allSent(app);
    disk!.fill(app.server!, app.env.DATABASE_PATH!);
    let day = 11;
    await eventually(async () => {
      day += 1;
      const answer = await app.api("/api/appointments", {
        json: bookingBody({ date: dayAhead(day) }),
      });
      expect(answer.status).toBe(503);
    });
  });
  afterAll(async () => {
    await app?.stop();
    disk!.close();
  });

  const post = (path: string, fields: Record<string, string>, Accept = "text/html") =>
    app.api(path, {
      form: fields,
      headers: { Accept, Cookie: cookie },
    });

  it("every call that writes is refused in the envelope, and nothing is written", async () => {
    const day = { counselor: ASHA, date: dayAhead(20) };
    const of = `/appointments/${paid.id}`;
    const calls: [string, string, unknown?][] = [
      [
        "POST",
        "/appointments",
        { ...bookingBody(day), payment: { by: "offline", method: "cash" } },
      ],
      ["PUT", `${of}/reschedule`, { date: dayAhead(21), newTimeSlot: "15:00" }],
      ["POST", `${of}/refund`, { amount: 100, reason: "a kindness" }],
      ["POST", `${of}/cancel`],
      ["PATCH", of, { name: "Another Name" }],
      ["DELETE", of],
      ["POST", `/appointments/${unpaid.id}/payment`, { method: "cash" }],
      ["POST", "/slots", { ...day, timeSlots: ["10:00"] }],
      ["POST", "/blocks", { ...day, timeSlotsToBlock: ["10:00"], action: "block" }],
      ["PUT", "/packages/30", { price: 500, label: "30", description: "x", active: true }],
      ["POST", "/team", { username: "new", email: "new@b.in", role: "staff" }],
      ["POST", "/leave", { from: dayAhead(30), to: dayAhead(31) }],
    ];
    const before = allRows(app.db);
    const answers = [
      await app.api("/api/appointments", { json: bookingBody({ date: dayAhead(60) }) }),
      await app.api("/api/payments/create-order", { json: { appointmentId: unpaid.id } }),
      await app.api("/api/admin/login", { json: ADMIN }),
    ];
    for (const [method, path, json] of calls) {
      answers.push(await admin(path, { method, ...(json === undefined ? {} : { json }) }));
    }
    for (const { status, code, message, headers } of answers) {
      expect([status, code]).toEqual([503, "unavailable"]);
      expect(message).toMatch(NOTHING_DONE);
      expect(headers.get("retry-after")).toBe("5");
    }
    expect(allRows(app.db)).toBe(before);
  });

  it("every form is refused with a page that says the same and leads back", async () => {
    const { packagePrice, ...fields } = bookingBody({ date: dayAhead(61), state: "29" });
    const booking = { ...fields, package: "30", shownTotal: "30-1179 45-1533 60-1769" };
    const before = allRows(app.db);
    const pages = [
      await post("/", booking as Record<string, string>),
      await post(`/booking/${paid.id}/cancel`, { email: paid.body.email }),
      await post("/admin", { username: ADMIN.username, password: ADMIN.password }),
      await post(`/admin/appointments/${paid.id}/cancel`, { by: "business" }),
    ];
    for (const { status, text, headers } of pages) {
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
      expect(headers.get("content-type")).toContain("text/html");
      expect(text).toMatch(NOTHING_DONE);
      expect(text).toContain("Go back in your browser: what you typed is still there.");
    }
    const ways = pages.map(({ text }) => /href="(.*?)"/.exec(text)?.[1]);
    expect(ways).toEqual(["/", "/", "/admin", "/admin"]);
    const opened = await post(`/booking/${unpaid.id}/pay`, {});
    expect([opened.status, NOTHING_DONE.test(opened.text)]).toEqual([503, true]);
    expect(opened.text).not.toContain("typed");
    expect(allRows(app.db)).toBe(before);
  });

  it("whoever has paid is not asked to pay again, by call or by form", async () => {
    const claim = { appointmentId: paid.id, razorpay_order_id: paid.orderId };
    const signature = signedBy(app.env.RAZORPAY_KEY_SECRET!, `${paid.orderId}|pay_00000000000001`);
    const proof = { razorpay_payment_id: "pay_00000000000001", razorpay_signature: signature };
    app.sandbox.switches.set({ name: "api_json_error", count: 2 });
    const { status, message } = await app.api("/api/payments/verify", {
      json: { ...claim, ...proof },
    });
    expect([status, message]).toEqual([503, expect.stringMatching(/do not pay again/)]);
    const form = { razorpay_order_id: paid.orderId, ...proof };
    const back = await post(`/payments/callback?booking=${paid.id}`, form);
    expect(back.headers.get("location")).toBe(`/booking/${paid.id}?payment=checking`);
    app.sandbox.switches.clear();
  });

  it("webhooks are answered so that they come again", async () => {
    const event = JSON.stringify({ event: "payment.captured", payload: {} });
    const [secret] = app.env.RAZORPAY_WEBHOOK_SECRET!.split(",");
    const recorded = await app.api("/webhooks/razorpay", {
      body: event,
      headers: { "X-Razorpay-Signature": signedBy(secret!, event) },
    });
    expect([recorded.status, recorded.code]).toEqual([503, "unavailable"]);
    const { transport_id: id } = app.db.firstRaw<{ transport_id: string }>(
      "SELECT transport_id FROM message WHERE channel = 'whatsapp' AND transport_id IS NOT NULL",
    )!;
    const statuses = [{ id, status: "read", timestamp: "1" }];
    const change = { field: "messages", value: { statuses } };
    const state = JSON.stringify({ object: "x", entry: [{ changes: [change] }] });
    const delivered = await app.api("/webhooks/whatsapp", {
      body: state,
      headers: { "X-Hub-Signature-256": `sha256=${signedBy(app.env.WHATSAPP_APP_SECRET!, state)}` },
    });
    expect(delivered.status).toBe(503);
  });

  it("what is read is still shown, also to staff who are signed in", async () => {
    const pages = ["/", "/?from=mail", `/booking/${paid.id}`, "/find-booking", "/health"];
    const desk = ["", `/appointments/${paid.id}`, "/calendar", "/documents", "/customers"];
    for (const path of [...pages, ...desk.map((end) => `/admin${end}`)]) {
      const { status } = await fetch(app.origin + path, { headers: { Cookie: cookie } });
      expect([path, status]).toEqual([path, 200]);
    }
    expect((await app.api(`/api/invoice/${paid.id}`)).status).toBe(200);
  });

  it("a start while it is full serves, and what waits is done when there is room", async () => {
    const { server } = app;
    disk!.free(server!);
    app.sandbox.switches.set({ name: "smtp_451" });
    const late = await eventually(async () => await book(app, { date: dayAhead(62) }));
    const { data: order } = await makeOrder(app, late.id);
    const proof = app.sandbox.pay(order.orderId, { outcome: "captured", webhooks: false });
    const verify = { json: { ...proof, appointmentId: late.id } };
    expect((await app.api("/api/payments/verify", verify)).data.status).toBe("confirmed");
    // So late that only the start brings it forward.
    await eventually(() => {
      const put = "UPDATE message SET next_try_at = next_try_at + 600000, lease_until = NULL";
      const waiting = "WHERE state = 'retrying' AND appointment_id = ?";
      expect(app.db.runRaw(`${put} ${waiting}`, [late.id])).toBeGreaterThan(0);
    });
    app.sandbox.switches.clear();
    await server!.kill();
    disk!.fill(server!, app.env.DATABASE_PATH!);
    await app.restart();
    const answer = await app.api("/api/appointments", {
      json: bookingBody({ date: dayAhead(63) }),
    });
    expect([answer.status, (await fetch(app.origin)).status]).toEqual([503, 200]);
    disk!.free(app.server!);
    await app.sandbox.mailbox.waitFor({ to: late.body.email });
    expect(app.db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });
});
