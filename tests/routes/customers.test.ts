/** The customers' pages and calls. */
import { beforeAll, describe, expect, it } from "vitest";
import { book, bookAndPay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const PERSON = { name: "Farah D’Souza", email: "Farah@Example.in", phone: "+91 98111 22233" };
const app = sharedApp();
const admin = sharedAdmin(app);
let paid: string;
let unpaid: string;
let customerId: string;
beforeAll(async () => {
  paid = (await bookAndPay(app, { ...PERSON, date: dayAhead(12), notes: "Which school?" })).id;
  unpaid = (await book(app, { ...PERSON, email: "farah@example.in", date: dayAhead(13) })).id;
  await book(app, { date: dayAhead(14) });
  const { data } = await admin("/customers?q=farah");
  customerId = data.customers[0].id;
});

const page = (path: string) => admin.page(`/admin/customers${path}`);
const post = (path: string, form: Record<string, string>) =>
  admin.page(`/admin/customers${path}`, { form });

describe("the calls", () => {
  it("list and search customers, an address each", async () => {
    const { data } = await admin("/customers?page=2");
    expect(data).toEqual({ customers: [], page: { number: 2, size: 50, total: 2 } });
    const { data: found } = await admin(`/customers?${new URLSearchParams({ q: "98111 22233" })}`);
    expect(found).toEqual({
      customers: [
        {
          id: customerId,
          name: PERSON.name,
          email: "farah@example.in",
          phone: "+919811122233",
          sessions: 2,
          paid: 1,
          lastSession: dayAhead(13),
        },
      ],
      page: { number: 1, size: 50, total: 1 },
    });
  });

  it("give all that is held as one file, and the log says who took it", async () => {
    const { data, status } = await admin(`/customers/${customerId}/data`);
    expect(status).toBe(200);
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
  ])("answer 404 for %s of nobody%s", async (method, path) => {
    for (const id of [UNKNOWN_ID, paid, "x"]) {
      const { status, code } = await admin(`/customers/${id}${path}`, { method });
      expect([status, code]).toEqual([404, "not_found"]);
    }
  });
});

describe("the pages", () => {
  it("search by POST, so that no name stands in an address, and page the answer the same way", async () => {
    const answer = await post("", { q: "Farah" });
    const text = answer.html;
    expect([answer.status, text.includes("1 customer for")]).toEqual([200, true]);
    expect(text).toContain(`/admin/customers/${customerId}`);
    expect((await post("", { q: "nobody at all" })).html).toContain("Nobody found");
  });

  it("give the file under a name that identifies nobody", async () => {
    const answer = await page(`/${customerId}/data`);
    const name = answer.headers.get("content-disposition");
    expect(name).toMatch(/^attachment; filename="customer-data-\d{4}-\d\d-\d\d\.json"$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(JSON.parse(answer.text).customer.id).toBe(customerId);
  });

  it("move bookings to a corrected address, and refuse a form without one", async () => {
    const none = await post(`/${customerId}`, { email: "no address" });
    const text = none.html;
    expect(none.status).toBe(400);
    expect(text).toContain("Please choose at least one booking");
    const moved = await post(`/${customerId}`, { email: "farah@other.in", bookings: unpaid });
    expect(moved.status).toBe(303);
    const { data } = await admin("/customers?q=farah@other.in");
    expect(moved.to).toBe(`/admin/customers/${data.customers[0].id}`);
    expect((await admin(`/customers/${customerId}`)).data.customer.sessions).toBe(1);
  });

  it("say beforehand what goes and what stays, and what to do first about a session to come", async () => {
    const text = (await page(`/${customerId}/erase`)).html;
    for (const words of [
      "student, a guardian’s confirmation, questions, answers, plan, a rating’s words",
      "until 72 months after the due date of that year’s annual return (Dec 31, 20",
      "at most 14 days",
      "cancel it first",
      "The customer is not",
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain("Erase Permanently");
    const refused = await post(`/${customerId}/erase`, { intent: "erase" });
    expect([refused.status, refused.html]).toEqual([
      409,
      expect.stringContaining("There is a session to come"),
    ]);
    await admin(`/appointments/${paid}/cancel`, { json: {} });
    await app.sandbox.idle();
    expect((await page(`/${customerId}/erase`)).html).toContain("Erase Permanently");
    const erased = await post(`/${customerId}/erase`, { intent: "erase" });
    expect(erased.led).toEqual([303, "/admin/customers"]);
    expect((await page(`/${customerId}`)).status).toBe(404);
    const emptied = (await admin.page(`/admin/appointments/${paid}`)).html;
    expect(emptied).toContain("Erased customer");
    expect(emptied).not.toMatch(/(mailto|tel):"/);
    // Nothing that is clicked or read aloud is without a name.
    expect(emptied).not.toMatch(/<(h\d|a|button|strong)\b[^>]*><\/\1>/);
    expect((await admin.page("/admin")).html).toContain("Erased customer");
  });
});
