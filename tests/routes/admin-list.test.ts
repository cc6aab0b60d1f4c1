import { beforeAll, describe, expect, it } from "vitest";
import { book, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

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
    expect(answer.httpStatus).toBe(200);
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

  it("filters by counselor and status, and counts what it filtered", async () => {
    const query = new URLSearchParams({ startDate: date, endDate: date, counselor: ROHAN });
    const byCounselor = await admin(`/appointments?${query}`);
    expect(ids(byCounselor)).toEqual([pending.id]);
    expect(byCounselor.data.stats).toMatchObject({ totalAppointments: 1, totalRevenue: 0 });
    const byStatus = await admin(
      `/appointments?startDate=${date}&endDate=${date}&status=confirmed&counselor=&q=`,
    );
    expect(ids(byStatus)).toEqual([paid.id]);
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
    for (const q of ["zubin nobody", "%", "*", "NOT zubin", "a_b", "\u0000zzz"]) {
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
    for (const [sort, order] of [
      ["date", [paid.id, pending.id]],
      ["-date", [pending.id, paid.id]],
      ["created", [paid.id, pending.id]],
      ["-created", [pending.id, paid.id]],
      ["amount", [paid.id, pending.id]],
      ["-amount", [pending.id, paid.id]],
    ] as const) {
      expect([sort, ids(await of(`&sort=${sort}`))]).toEqual([sort, order]);
    }
  });
});
