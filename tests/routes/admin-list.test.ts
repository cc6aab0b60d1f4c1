/** The list of appointments, and quick find: one field for a name, a number or an ID; nothing of it stands in an address. */
import { beforeAll, describe, expect, it } from "vitest";
import { book, bookAndPay, bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, type BookingBody, dayAhead, daysFrom, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const ids = (answer: { data: { appointments: { id: string }[] } }) =>
  answer.data.appointments.map(({ id }) => id);

describe("GET /api/admin/appointments", () => {
  let paid: { id: string; body: { email: string; phone: string } };
  let pending: { id: string };
  let date: string;
  beforeAll(async () => {
    date = dayAhead(11);
    paid = await bookAndPay(app, { date, name: "Zubin O'Hara", notes: "=1+1" });
    pending = await book(app, { date, counselor: ROHAN, package: 60, timeSlot: "15:00" });
  });

  it("lists the contract's appointments with figures over the filtered set", async () => {
    const answer = await admin(`/appointments?startDate=${date}&endDate=${date}`);
    expect(answer.status).toBe(200);
    expect(ids(answer)).toEqual([pending.id, paid.id]);
    expect(answer.data.appointments[1]).toMatchObject({
      id: paid.id,
      name: "Zubin O'Hara",
      counselor: ASHA,
      date,
      timeSlot: "10:00",
      package: 30,
      packagePrice: 999,
      status: "confirmed",
      invoiceUrl: `/api/invoice/${paid.id}`,
      razorpayPaymentId: expect.stringMatching(/^pay_/),
      createdAt: expect.stringMatching(/Z$/),
      meta: { notes: "=1+1" },
    });
    expect(answer.data.stats).toEqual({
      totalAppointments: 2,
      confirmedAppointments: 1,
      pendingPayments: 1,
      totalRevenue: 1179,
    });
    expect(answer.data.page).toEqual({ number: 1, size: 10_000, total: 2 });
  });

  it("finds by name, e-mail, phone and id, also by its shown end", async () => {
    const { id, body } = paid;
    const digits = body.phone.replace(/\D/g, "").slice(-10);
    for (const q of [
      ...["o'hara", "hara zub", "Zu", 'zubin "', body.email.toUpperCase()],
      ...[digits, `0${digits}`, `+91 ${digits.slice(0, 5)} ${digits.slice(5)}`],
      ...[id, id.slice(-6), `#${id.slice(-8).toUpperCase()}`, `# ${id.slice(-5)}`],
    ]) {
      const found = ids(await admin(`/appointments?${new URLSearchParams({ q })}`));
      expect([q, found]).toEqual([q, expect.arrayContaining([id])]);
      expect(found).not.toContain(pending.id);
    }
    for (const q of ["zubin nobody", "%", "*", "NOT zubin", "a_b", "\u0000zlo"]) {
      const query = new URLSearchParams({ q, startDate: date, endDate: date });
      expect([q, ids(await admin(`/appointments?${query}`))]).toEqual([q, []]);
    }
    expect(ids(await admin(`/appointments?${new URLSearchParams({ q: "#" })}`)).length).toBe(2);
  });

  it("pages and sorts", async () => {
    const of = (more: string) => admin(`/appointments?startDate=${date}&endDate=${date}${more}`);
    const first = await of("&page=1&pageSize=1");
    const second = await of("&page=2&pageSize=1");
    expect(ids(first).concat(ids(second))).toEqual([pending.id, paid.id]);
    expect(second.data.page).toEqual({ number: 2, size: 1, total: 2 });
    expect(second.data.stats.totalAppointments).toBe(2);
    expect((await of("&page=9")).data).toMatchObject({
      appointments: [],
      page: { number: 9, size: 50, total: 2 },
    });
    for (const sort of ["date", "created", "amount"]) {
      expect([sort, ids(await of(`&sort=${sort}`))]).toEqual([sort, [paid.id, pending.id]]);
      expect([sort, ids(await of(`&sort=-${sort}`))]).toEqual([sort, [pending.id, paid.id]]);
    }
  });
});

const nextDay = daysFrom(20);
/** On a day of its own. */
const on = (changes: Partial<BookingBody> = {}) => ({ date: nextDay(), ...changes });

/** As the browser posts the field of the head. */
const find = (q: string) => admin.page("/admin/find", { form: { q } });

describe("an ID or a number", () => {
  it("of one booking leads straight to it", async () => {
    const { id, paymentId, orderId } = await bookAndPay(app, on({ name: "Zubin Mistry" }));
    const { data } = await admin(`/appointments/${id}`);
    const { number } = data.invoice as { number: string };
    const to = `/admin/appointments/${id}`;
    for (const q of [
      ...[id, ` ${id.toUpperCase()} `, id.slice(-6), `#${id.slice(-6)}`, `# ${id.slice(-8)}`],
      ...[number, number.toLowerCase(), number.replaceAll("/", "-"), paymentId, orderId],
    ]) {
      expect(await find(q), q).toMatchObject({ status: 303, to });
    }
    expect((await find(id.slice(-5))).html).toContain("1 customer for");
  });

  it("of a document whose booking is gone leads to its file with one click", async () => {
    const { id, paymentId } = await bookAndPay(app, on());
    const { number } = (await admin(`/appointments/${id}`)).data.invoice as { number: string };
    await admin(`/appointments/${id}`, { method: "DELETE" });
    const document = await find(number);
    expect(document.status).toBe(200);
    expect(document.html).toContain("1 document for");
    expect(document.html).toContain(`/admin/documents/${number.replaceAll("/", "-")}`);
    const payment = await find(paymentId);
    expect([payment.status, payment.to]).toEqual([200, null]);
    expect(payment.html).toContain(paymentId);
  });

  it("of money that belongs to nobody leads to the unmatched payments", async () => {
    app.db.runRaw(
      `INSERT INTO payment (payment_id, amount_paise, currency, provider_status, outcome, created_at, updated_at)
       VALUES ('pay_OfNobody', 117900, 'INR', 'captured', 'unmatched', 1, 1)`,
    );
    expect(await find("pay_OfNobody")).toMatchObject({ status: 303, to: "/admin/unmatched" });
  });
});

describe("a name, an address or a phone number", () => {
  it("shows each customer once, with all their bookings", async () => {
    const person = { name: "Farah D’Souza", email: "farah@example.in", phone: "+919811122233" };
    const ids = [
      (await book(app, on(person))).id,
      (await bookConfirmed(app, on({ ...person, email: "Farah@Example.in" }))).id,
    ];
    for (const q of ["farah d", "FARAH@example", "98111 22233", "fa"]) {
      const { status, html } = await find(q);
      expect(status).toBe(200);
      expect(html, q).toContain("1 customer for");
      for (const id of ids) expect(html).toContain(`/admin/appointments/${id}`);
    }
  });

  it("of more bookings than are shown counts the customers of those as the least", async () => {
    for (let i = 0; i < 52; i += 1) {
      // One customer has several.
      const email = `xerxes${Math.max(i, 5)}@example.in`;
      addRow(app.db, "appointment", `xerxes${i}`, { email });
    }
    const { html } = await find("xerxes");
    expect(/[^>]* customers(?= for)/.exec(html)?.[0]).toMatch(/^At least 4\d customers/);
    expect(html).toContain("These are the newest bookings");
  });

  it("that looks like an ID finds both", async () => {
    const { id } = await book(app, on({ name: "Tehmina Irani" }));
    const named = await book(app, on({ name: `Mr ${id.slice(-6)}x` }));
    const { status, html } = await find(id.slice(-6));
    expect(status).toBe(200);
    expect(html).toContain("1 customer, 1 booking for");
    expect(html).toContain(named.id);
  });

  it("that nobody has says what can be searched for", async () => {
    for (const q of ["nobody of this name", '"', "%", "#zzzzzz", "constructor", "pay_"]) {
      const { status, html } = await find(q);
      expect([status, html.includes("Nothing found for")], q).toEqual([200, true]);
    }
    for (const q of ["", "  ", "x".repeat(101)]) {
      const { status, html } = await find(q);
      expect(status).toBe(400);
      expect(html).toContain("Please enter a name, a phone number");
    }
  });
});
