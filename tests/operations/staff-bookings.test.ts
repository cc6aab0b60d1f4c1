/** Bookings that staff make, with a link or paid outside, and unpaid ones marked as paid. */
import { describe, expect, it } from "vitest";
import { addLeave } from "#app/availability/set-availability.server.ts";
import { appointmentJson } from "#app/booking/appointment-json.ts";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { staffBookingSchema } from "#app/booking/change-fields.ts";
import { refuseOutside } from "#app/booking/confirm-appointment.server.ts";
import { moveOwnBooking } from "#app/booking/self-service.server.ts";
import { runOnce } from "#app/core/change.server.ts";
import { documentFacts } from "#app/documents/document-facts.ts";
import type { Actor } from "#app/model/actor.ts";
import { addDays, dateInIndia, formatDate, HOUR, instantOf, MINUTE } from "#app/model/dates.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { bookingBody } from "#tests/support/bookings.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const day = (days: number) => addDays(dateInIndia(till.clock.now), days);
const kinds = (id: string) =>
  till
    .rows("SELECT kind FROM message WHERE appointment_id = ? ORDER BY rowid", id)
    .map(({ kind }) => kind as string);

const links = () => till.queued("payment_link");

/** As the customer moves it on its own page. */
const moveOwn = (id: string, to: { date: string; timeSlot: string }) =>
  moveOwnBooking(till.deps, id, to, {
    email: till.booking(id).contact.email,
    clientAddress: "192.0.2.1",
  });

const CASH = { by: "offline", method: "cash", reference: "R-17" } as const;

function book(changes: object = {}) {
  const input = { ...bookingBody({ date: day(5) }), payment: { by: "link" }, ...changes };
  return bookForCustomer(till.deps, ADMIN_ACTOR, staffBookingSchema.parse(input));
}

const booked = (changes: object = {}) => till.bookByStaff({ payment: { by: "link" }, ...changes });

describe("with a link", () => {
  it("can be paid for a day, is mailed, and pays as any booking", async () => {
    const made = booked({ staffNote: "Called twice" });
    expect(made).toMatchObject({ status: "pending_payment", source: "staff" });
    expect(made.staffNote).toBe("Called twice");
    const payBefore = till.clock.now + 24 * HOUR;
    expect(made.window).toEqual({ payBefore, holdUntil: payBefore + 15 * MINUTE });
    expect(kinds(made.id)).toEqual(["payment_link"]);
    till.clock.now = payBefore - MINUTE;
    till.pay(await till.order(made.id));
    await till.look();
    expect(till.booking(made.id)).toMatchObject({ status: "confirmed", window: null });
    expect(till.booking(made.id).invoiceNumber).not.toBeNull();
  });

  it("ends two hours before a session of tomorrow morning, and its hold before the session", () => {
    till.clock.now = instantOf(day(1), "20:00");
    const startsAt = instantOf(day(1), "10:00");
    const near = booked({ date: day(1) });
    expect(near.window?.payBefore).toBe(startsAt - 2 * HOUR);
    const last = new Date(startsAt + 24 * HOUR - MINUTE).toISOString();
    const late = booked({ date: day(2), payment: { by: "link", payBefore: last } });
    expect(late.window?.payBefore).toBe(startsAt + 24 * HOUR - MINUTE);
    expect(late.window!.holdUntil).toBeLessThan(late.startsAt);
  });

  it("is refused without a time of its own where the session starts within two hours", () => {
    till.clock.now = instantOf(day(0), "09:00");
    const soon = { date: day(0), timeSlot: "10:30" };
    expect(book(soon)).toMatchObject({
      errors: { payment: [expect.stringContaining("too soon")] },
    });
    expect(book({ ...soon, payment: CASH })).toMatchObject({ ok: true });
  });

  it("keeps its time to pay when the customer moves it, and the customer is notified", async () => {
    const { id, window } = booked();
    const to = { date: day(8), timeSlot: "11:00" };
    expect(await moveOwn(id, to)).toMatchObject({ ok: true });
    expect(till.booking(id)).toMatchObject({ ...to, status: "pending_payment", window });
    expect(till.queued("booking_rescheduled")[0].state).toBe("queued");
  });

  it("is held anew by staff alone, and then mailed again in place of a link not sent yet", async () => {
    const { id, date, timeSlot, window } = booked();
    till.clock.now = window!.payBefore + MINUTE;
    const over = { code: "payment_window_over" };
    expect(await till.createOrder(id)).toMatchObject(over);
    expect(await moveOwn(id, { date: day(8), timeSlot: "11:00" })).toMatchObject(over);
    expect(till.move(id, { date, timeSlot })).toMatchObject({ ok: true });
    expect(till.booking(id).window?.payBefore).toBe(till.clock.now + 24 * HOUR);
    expect(links().map(({ state }) => state)).toEqual(["failed", "queued"]);
    expect(await till.createOrder(id)).toMatchObject({ ok: true });
  });

  it("keeps the days that staff gave, when staff move it", () => {
    const payBefore = new Date(till.clock.now + 96 * HOUR).toISOString();
    const { id } = booked({ date: day(20), payment: { by: "link", payBefore } });
    till.move(id, { date: day(21), timeSlot: "10:00" });
    expect(till.booking(id).window?.payBefore).toBe(Date.parse(payBefore));
  });

  it("goes to a corrected address, not to the wrong one any more, where it was sent before too", () => {
    const { id, contact } = booked();
    till.edit(id, { email: "right@example.in" });
    till.deps.db.runRaw("UPDATE message SET state = 'sent', next_try_at = NULL WHERE next_try_at");
    till.edit(id, { email: "other@example.in" });
    expect(links()).toMatchObject([
      { recipient: contact.email, state: "failed" },
      { recipient: "right@example.in", state: "sent" },
      { recipient: "other@example.in", state: "queued" },
    ]);
  });

  it("has a hold that ends before the session, wherever staff move it", () => {
    till.clock.now = instantOf(day(0), "09:50");
    const link = booked();
    const own = till.book({ date: day(3), timeSlot: "16:00" });
    for (const [id, timeSlot] of [
      [link.id, "10:00"],
      [own, "11:00"],
    ] as const) {
      expect(till.move(id, { date: day(0), timeSlot })).toMatchObject({ ok: true });
      const { window, startsAt } = till.booking(id);
      expect(window!.holdUntil).toBeLessThan(startsAt);
      expect(window!.payBefore).toBeLessThanOrEqual(window!.holdUntil);
    }
  });
});

describe("the time", () => {
  it("that has begun is refused as such", () => {
    till.clock.now = instantOf(day(0), "10:30");
    expect(book({ date: day(0), timeSlot: "09:00", payment: CASH })).toMatchObject({
      code: "slot_taken",
      message: expect.stringContaining("has begun"),
    });
  });

  it("may be any of the master list, and never one that is taken or blocked", () => {
    const first = booked({ timeSlot: "20:30", package: 60 });
    expect(first).toMatchObject({ timeSlot: "20:30", minutes: 60 });
    const second = book({ timeSlot: "20:00", package: 60, override: true });
    expect(second).toMatchObject({ code: "slot_taken" });
    const blocked = { counselorKey: "asha", dates: [day(5)], timeSlots: ["12:00"] };
    till.setBlocks({ ...blocked, action: "block" });
    expect(book({ timeSlot: "12:00", override: true })).toMatchObject({ code: "slot_taken" });
    expect(book({ date: day(-1) })).toMatchObject({ errors: { date: [expect.any(String)] } });
  });

  it("is used in spite of leave when staff say so, and is then kept on purpose", () => {
    addLeave(till.deps, ADMIN_ACTOR, { counselorKey: "asha", from: day(5), to: day(5) });
    expect(book()).toMatchObject({
      code: "slot_taken",
      errors: { timeSlot: [expect.stringContaining("leave")] },
    });
    const { id } = booked({ override: true });
    expect(till.rows("SELECT appointment_id AS id FROM kept_clash")).toEqual([{ id }]);
  });

  it("is not counted among a network's holds", () => {
    booked();
    expect(till.rows("SELECT client_address AS a FROM appointment")).toEqual([{ a: null }]);
  });
});

describe("paid outside", () => {
  it("is refused at another total than the form showed, in rupees", () => {
    const input = staffBookingSchema.parse({ ...bookingBody({ date: day(5) }), payment: CASH });
    const bookAt = (shown: number) => bookForCustomer(till.deps, ADMIN_ACTOR, input, shown);
    expect(bookAt(1533)).toMatchObject({
      code: "price_changed",
      message: expect.stringContaining("= ₹1,179. If the customer agrees"),
    });
    expect(till.rows("SELECT 1 FROM appointment")).toEqual([]);
    expect(bookAt(1179)).toMatchObject({ ok: true });
  });

  it("is confirmed at once, with an invoice and the usual messages", () => {
    const made = booked({ payment: { ...CASH, receivedOn: day(-2) } });
    expect(made).toMatchObject({ status: "confirmed", window: null });
    expect(kinds(made.id)).toEqual(["booking_confirmed", "counselor_new"]);
    expect(till.rows("SELECT * FROM payment")).toMatchObject([
      {
        order_id: null,
        amount_paise: 117_900,
        outcome: "applied",
        method: "cash",
        reference: "R-17",
        received_on: day(-2),
        fee_paise: 0,
        fee_tax_paise: 0,
        refunded_paise: 0,
      },
    ]);
    expect(appointmentJson(made)).toMatchObject({ invoiceUrl: expect.any(String) });
    expect(appointmentJson(made)).not.toHaveProperty("razorpayPaymentId");
    expect(till.keptOf(made.id)).toBe(WHOLE);
  });

  it.each([
    [undefined, 0],
    [0, 0],
    [-2, -2],
  ])(
    "names on the invoice how and when it came (%s), and not our own id of the money",
    (received, shown) => {
      const receivedOn = received === undefined ? undefined : day(received);
      const { id } = booked({ payment: { ...CASH, receivedOn } });
      const { paid, paidOn } = documentFacts(listDocumentsOf(till.deps.db, id)[0]!);
      expect([paid[1], paidOn]).toEqual(["By cash, reference R-17", formatDate(day(shown))]);
    },
  );

  it("takes no money that is still to come in", () => {
    const payment = { ...CASH, receivedOn: day(1) };
    expect(book({ payment })).toMatchObject({ errors: { receivedOn: [expect.any(String)] } });
    expect(till.rows("SELECT 1 FROM appointment")).toEqual([]);
  });
});

describe("an unpaid booking marked as paid", () => {
  it("is refused once its customer is erased: the invoice would name nobody", () => {
    const { id, contact, endsAt } = booked();
    till.clock.now = endsAt;
    eraseCustomer(till.deps.db, contact.email, till.clock.now);
    expect(till.markPaid(id, { method: "cash" })).toMatchObject({ code: "not_found" });
    expect(till.rows("SELECT 1 FROM document")).toEqual([]);
  });

  it("is confirmed; what still comes on its order is a second payment", async () => {
    const { id, orderId } = await till.bookAndOrder();
    const markPaid = () => till.markPaid(id, { method: "upi" });
    expect(markPaid()).toMatchObject({ value: { status: "confirmed" } });
    expect(markPaid()).toMatchObject({ code: "already_paid" });
    till.pay(orderId);
    await till.look();
    expect(till.rows("SELECT outcome FROM payment ORDER BY outcome")).toEqual([
      { outcome: "applied" },
      { outcome: "second" },
    ]);
    expect(till.booking(id).status).toBe("confirmed");
    await till.sendRefunds();
    expect(till.razorpay.refunds).toHaveLength(1);
  });

  it("may be so after the session has begun", () => {
    const { id, startsAt } = booked();
    till.clock.now = startsAt + MINUTE;
    const paid = till.markPaid(id, { method: "cash" });
    expect(paid).toMatchObject({ value: { status: "confirmed" } });
  });

  it("needs its time to be free", () => {
    const date = day(9);
    const id = till.book({ date });
    till.clock.now += HOUR;
    expect(till.book({ date })).not.toBe(id);
    expect(till.markPaid(id, { method: "cash" })).toMatchObject({ code: "slot_taken" });
    expect(till.booking(id).status).toBe("pending_payment");
    till.cancel(id);
    expect(till.markPaid(id, { method: "cash" })).toMatchObject({ code: "already_cancelled" });
  });
});

it("is made once under one key, and a refusal is tried again", () => {
  const answer = (made: { id: string }) => ({ appointmentId: made.id });
  const input = staffBookingSchema.parse({ ...bookingBody({ date: day(5) }), payment: CASH });
  const call = (key: string, body: object = input) =>
    runOnce(
      till.deps,
      { key, call: "book", body: { ...body } },
      () => bookForCustomer(till.deps, ADMIN_ACTOR, input),
      answer,
    );
  const first = call("k1");
  expect(first).toMatchObject({ ok: true });
  expect(call("k1")).toEqual(first);
  expect(call("k1", { ...input, notes: "other" })).toMatchObject({ code: "idempotency_conflict" });
  expect(call("k2")).toMatchObject({ code: "slot_taken" });
  expect(till.rows("SELECT count(*) AS n FROM appointment")).toEqual([{ n: 1 }]);
  till.cancel(first.ok ? first.value.appointmentId : "");
  expect(call("k2")).toMatchObject({ ok: true });
});

it("lets only an owner enter money of an earlier financial year", () => {
  const april = Date.UTC(2027, 3, 2, 6);
  const deps = { ...till.deps, now: () => april };
  const refusal = (actor: Actor, receivedOn: string) =>
    refuseOutside(deps, actor, { method: "cash", receivedOn });
  const staff: Actor = { kind: "admin", username: "desk", role: "staff" };
  expect(refusal(staff, "2027-04-01")).toBeNull();
  expect(refusal(staff, "2027-03-31")).toMatchObject({ code: "forbidden" });
  const owner: Actor = { ...staff, role: "owner" };
  expect(refusal(owner, "2027-03-31")).toBeNull();
  // Before how long ago it was.
  expect(refusal(staff, "2025-04-01")).toMatchObject({ code: "forbidden" });
  expect(refusal(owner, "2025-04-01")).toBeNull();
  expect(refusal(owner, "2025-03-01")).toMatchObject({ code: "validation_failed" });
  expect(refusal(owner, "2027-04-03")).toMatchObject({ code: "validation_failed" });
});
