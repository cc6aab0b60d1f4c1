/** The customers' pages and calls. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type AdminApi,
  adminOf,
  book,
  bookAndPay,
  sessionCookie,
  UNKNOWN_ID,
} from "#tests/support/admin.ts";
import { dayAhead, wish } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const PERSON = { name: "Farah D’Souza", email: "Farah@Example.in", phone: "+91 98111 22233" };
const app = sharedApp();
let admin: AdminApi;
let paid: string;
let unpaid: string;
let customerId: string;
beforeAll(async () => {
  admin = await adminOf(app);
  paid = (await bookAndPay(app, { ...PERSON, date: dayAhead(12), notes: "Which school?" })).id;
  unpaid = (await book(app, { ...PERSON, email: "farah@example.in", date: dayAhead(13) })).id;
  await book(app, { date: dayAhead(14) });
  const { data } = await admin("/customers?q=farah");
  customerId = data.customers[0].id;
});

const page = (path: string, init: RequestInit = {}) =>
  fetch(`${app.origin}/admin/customers${path}`, {
    redirect: "manual",
    ...init,
    headers: { Cookie: sessionCookie(admin.token), Origin: app.origin },
  });
const post = (path: string, fields: Record<string, string>) =>
  page(path, { method: "POST", body: new URLSearchParams(fields) });
const textOf = async (answer: Response) => (await answer.text()).replaceAll("<!-- -->", "");

describe("the calls", () => {
  it("list and search customers, an address each", async () => {
    const { data } = await admin("/customers");
    expect(data.page).toEqual({ number: 1, size: 50, total: 2 });
    const { data: found } = await admin(`/customers?${new URLSearchParams({ q: "98111 22233" })}`);
    expect(found).toEqual({
      customers: [
        {
          ...{ id: customerId, name: PERSON.name, email: "farah@example.in" },
          ...{ phone: "+919811122233", sessions: 2, paid: 1, lastSession: dayAhead(13) },
        },
      ],
      page: { number: 1, size: 50, total: 1 },
    });
    expect((await admin("/customers?page=2")).data.customers).toEqual([]);
    expect((await admin("/customers?page=none")).code).toBe("validation_failed");
  });

  it("tell one customer with their appointments", async () => {
    const { data } = await admin(`/customers/${customerId}`);
    expect(data.customer).toMatchObject({ id: customerId, sessions: 2 });
    expect(data.customer.appointments.map((one: { id: string }) => one.id)).toEqual([unpaid, paid]);
    expect(data.customer.appointments[1]).toMatchObject({ status: "confirmed", package: 30 });
  });

  it("give all that is held as one file, and the log says who took it", async () => {
    const { data, httpStatus } = await admin(`/customers/${customerId}/data`);
    expect(httpStatus).toBe(200);
    expect(data.customer).toMatchObject({ email: "farah@example.in" });
    expect(data.appointments).toHaveLength(2);
    const [first] = data.appointments;
    expect(first).toMatchObject({ id: paid, notes: "Which school?", total: 1179 });
    expect(first.createdAt).toMatch(/Z$/);
    expect(data.payments).toMatchObject([{ amount: 1179, method: expect.any(String) }]);
    expect(data.documents).toMatchObject([{ kind: "invoice", customerName: PERSON.name }]);
    expect(data.messages.length).toBeGreaterThan(0);
    const others = ["asha", "calendarUid", "captains.example", "clientAddress"];
    const text = JSON.stringify({ ...data, customer: null, appointments: null });
    expect(others.filter((other) => text.includes(other))).toEqual([]);
    const { data: log } = await admin("/activity-logs?q=customer_data");
    expect(log.logs).toMatchObject([{ action: "customer_data", target: customerId }]);
  });

  it.each([
    ["GET", ""],
    ["GET", "/data"],
    ["POST", "/erase"],
  ])("answer 404 for %s of nobody, and 401 to strangers", async (method, path) => {
    for (const id of [UNKNOWN_ID, paid, "x"]) {
      const { httpStatus, code } = await admin(`/customers/${id}${path}`, { method });
      expect([httpStatus, code]).toEqual([404, "not_found"]);
    }
    const stranger = await app.api(`/api/admin/customers/${customerId}${path}`, { method });
    expect(stranger.httpStatus).toBe(401);
  });
});

it("the pages that remove data say who is still told, and what is still owed to whom", async () => {
  const who = { name: "Ravi Menon", email: "ravi@example.in", phone: "9811133344" };
  const { packagePrice: _, ...input } = wish({ ...who, date: dayAhead(15) });
  const cash = { by: "offline", method: "cash" };
  const { data } = await admin("/appointments", { json: { ...input, payment: cash } });
  const { id } = data.appointment;
  await admin(`/appointments/${id}/cancel`, { json: {} });
  app.db.runRaw(
    "UPDATE message SET state = 'retrying', next_try_at = ? WHERE appointment_id = ? AND kind = 'booking_cancelled'",
    [Date.now() + 600_000, id],
  );
  const [ravi] = (await admin("/customers?q=ravi")).data.customers;
  const [refund] = app.db.allRaw<{ id: string }>("SELECT id FROM refund WHERE appointment_id = ?", [
    id,
  ]);
  const texts = async () => {
    const headers = { Cookie: sessionCookie(admin.token) };
    const asked = await fetch(`${app.origin}/admin/appointments/${id}/delete`, { headers });
    return [await textOf(await page(`/${ravi.id}/erase`)), await textOf(asked)];
  };
  for (const text of await texts()) {
    expect(text).toContain("Still on its way, and sent first:");
    expect(text).toContain("Session cancelled, Email to the customer");
    expect(text).toContain(`/admin/refunds/${refund!.id}/settle`);
    expect(text).toContain("₹1,179.00");
    expect(text).toContain("The customer is not told</strong> of it");
  }
  expect((await texts())[0]).not.toContain("Erase Permanently");
  const refused = await admin(`/customers/${ravi.id}/erase`, { method: "POST" });
  expect([refused.httpStatus, refused.code]).toEqual([409, "in_use"]);
  const settled = await admin(`/refunds/${refund!.id}/settle`, { json: {} });
  expect(settled.httpStatus).toBe(200);
  const [toErase, toDelete] = await texts();
  expect(toErase).toContain("Erase Permanently");
  for (const text of [toErase, toDelete]) expect(text).not.toContain("/admin/refunds/");
  const deleted = await admin(`/appointments/${id}`, { method: "DELETE" });
  expect(deleted.httpStatus).toBe(200);
});

describe("the pages", () => {
  it("search by POST, so that no name stands in an address, and page the answer the same way", async () => {
    const answer = await post("", { q: "Farah" });
    const text = await textOf(answer);
    expect([answer.status, text.includes("1 customer for")]).toEqual([200, true]);
    expect(text).toContain(`/admin/customers/${customerId}`);
    expect(await textOf(await post("", { q: "nobody at all" }))).toContain("Nobody found");
    expect(await textOf(await page("?page=2"))).toContain("No customers yet");
  });

  it("show one customer, led to from the appointment's panel", async () => {
    const panel = await fetch(`${app.origin}/admin/appointments/${paid}`, {
      headers: { Cookie: sessionCookie(admin.token) },
    });
    expect(await textOf(panel)).toContain(`/admin/customers/${customerId}`);
    const text = await textOf(await page(`/${customerId}`));
    for (const words of [PERSON.name, "Which school?", "Booking confirmed", "Invoice"]) {
      expect(text).toContain(words);
    }
    expect((await page(`/${UNKNOWN_ID}`)).status).toBe(404);
  });

  it("give the file under a name that tells nobody", async () => {
    const answer = await page(`/${customerId}/data`);
    const name = answer.headers.get("content-disposition");
    expect(name).toMatch(/^attachment; filename="customer-data-\d{4}-\d\d-\d\d\.json"$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await answer.json()).customer.id).toBe(customerId);
  });

  it("move bookings to a corrected address, and refuse a form without one", async () => {
    const none = await post(`/${customerId}`, { email: "no address" });
    const text = await textOf(none);
    expect(none.status).toBe(400);
    expect(text).toContain("Please choose at least one booking");
    const moved = await post(`/${customerId}`, { email: "farah@other.in", bookings: unpaid });
    expect(moved.status).toBe(303);
    const { data } = await admin("/customers?q=farah@other.in");
    expect(moved.headers.get("location")).toBe(`/admin/customers/${data.customers[0].id}`);
    expect((await admin(`/customers/${customerId}`)).data.customer.sessions).toBe(1);
  });

  it("say before what goes and what stays, and with a session to come what to do first", async () => {
    const text = await textOf(await page(`/${customerId}/erase`));
    for (const words of [
      "72 months",
      "at most 14 days",
      "cancel it first",
      "The customer is not",
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain("Erase Permanently");
    const refused = await post(`/${customerId}/erase`, { intent: "erase" });
    expect([refused.status, await textOf(refused)]).toEqual([
      409,
      expect.stringContaining("There is a session to come"),
    ]);
    await admin(`/appointments/${paid}/cancel`, { json: {} });
    await app.sandbox.idle();
    expect(await textOf(await page(`/${customerId}/erase`))).toContain("Erase Permanently");
    const erased = await post(`/${customerId}/erase`, { intent: "erase" });
    expect([erased.status, erased.headers.get("location")]).toEqual([303, "/admin/customers"]);
    expect((await page(`/${customerId}`)).status).toBe(404);
    const panel = await fetch(`${app.origin}/admin/appointments/${paid}`, {
      headers: { Cookie: sessionCookie(admin.token) },
    });
    const emptied = await textOf(panel);
    expect(emptied).toContain("Erased customer");
    expect(emptied).not.toMatch(/(mailto|tel):"/);
    // Nothing that is pressed or heard is without a name.
    expect(emptied).not.toMatch(/<(h\d|a|button|strong)\b[^>]*><\/\1>/);
    const list = await fetch(`${app.origin}/admin`, {
      headers: { Cookie: sessionCookie(admin.token) },
    });
    expect(await textOf(list)).toContain("Erased customer");
  });
});
