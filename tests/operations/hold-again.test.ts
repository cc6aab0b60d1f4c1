/** Staff hold an unpaid booking again: the late payer on the phone. */
import { describe, expect, it } from "vitest";
import { bookSession } from "#app/booking/book-session.server.ts";
import { type HoldAgain, holdAgainSchema } from "#app/booking/change-fields.ts";
import { endLongHolds, readPressure } from "#app/booking/holds.server.ts";
import { hasOpenLink } from "#app/model/appointment.ts";
import { addDays, dateInIndia, HOUR, instantOf, MINUTE } from "#app/model/dates.ts";
import { holdAgain } from "#app/payments/hold-again.server.ts";
import { bookingBody, bookingInput } from "#tests/support/bookings.ts";
import { WHATSAPP } from "#tests/support/money-outside.ts";
import { BROKEN } from "#tests/support/razorpay-stub.ts";
import { ADMIN_ACTOR, setCaptain } from "#tests/support/till.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill({ env: WHATSAPP });

const day = (days: number) => addDays(dateInIndia(till.clock.now), days);
const again = (id: string, request: HoldAgain = {}) =>
  holdAgain(till.deps, ADMIN_ACTOR, id, request);
const links = (id: string) =>
  till
    .queued("payment_link")
    .filter(({ appointment_id }) => appointment_id === id)
    .map(({ channel, state }) => `${channel} ${state}`);
const address = (id: string) =>
  till.rows("SELECT client_address AS a FROM appointment WHERE id = ?", id)[0].a;

it("keeps a visitor's time for a day after everything ended, and its link is paid", async () => {
  const other = till.book();
  const id = till.book();
  till.clock.now += 5 * HOUR;
  expect(await till.createOrder(id)).toMatchObject({ code: "payment_window_over" });
  const held = await again(id);
  const payBefore = till.clock.now + 24 * HOUR;
  expect(held).toMatchObject({
    value: {
      id,
      status: "pending_payment",
      source: "visitor",
      heldByStaff: true,
      window: { payBefore, holdUntil: payBefore + 15 * MINUTE },
    },
  });
  expect(links(id)).toEqual(["email queued", "whatsapp queued"]);
  expect(till.logged().at(-1)).toMatchObject({
    action: "hold",
    target: id,
    after: { payBefore: new Date(payBefore).toISOString() },
  });
  expect(links(other)).toEqual([]);
  expect(till.booking(other).heldByStaff).toBe(false);
  till.clock.now = payBefore - MINUTE;
  till.pay(await till.order(id));
  await till.look();
  expect(till.booking(id)).toMatchObject({ status: "confirmed", heldByStaff: false });
});

it("takes back a link that was not sent, but none of another channel, and WhatsApp needs a yes", async () => {
  const { id: byStaff } = till.bookByStaff({ payment: { by: "link" } });
  await again(byStaff);
  expect(links(byStaff)).toEqual(["email failed", "email queued"]);
  const id = till.book();
  till.clock.now += 5 * HOUR;
  await again(id);
  till.edit(id, { email: "right@example.in" });
  expect(links(id)).toEqual(["email failed", "whatsapp queued", "email queued"]);
});

describe("a link that went to a wrong number by WhatsApp", () => {
  const send = () =>
    till.deps.db.runRaw(
      "UPDATE message SET state = 'sent', next_try_at = NULL WHERE state = 'queued'",
    );
  const numbers = (id: string) =>
    till
      .messages(id)
      .filter(({ kind, channel }) => kind === "payment_link" && channel === "whatsapp")
      .map(({ recipient, state }) => `${recipient} ${state}`);
  const [wrong, right] = ["+919845022222", "+919845011111"];

  it("goes to the corrected one too, with no second mail, for as long as the present link", async () => {
    const [id, other] = [till.book({ phone: wrong }), till.book({ phone: wrong })];
    for (const one of [id, other]) await again(one);
    send();
    till.clock.now += MINUTE;
    till.edit(id, { phone: right });
    expect(numbers(id)).toEqual([`${wrong} sent`, `${right} queued`]);
    expect([numbers(other), links(id)]).toEqual([
      [`${wrong} sent`],
      ["email sent", "whatsapp sent", "whatsapp queued"],
    ]);
    const [link] = till.messages(id).filter(({ state }) => state === "queued");
    expect(link!.notAfter).toBe(till.booking(id).window!.payBefore);
  });

  it("goes there once, in whichever order it is held, sent and corrected", async () => {
    const [first, unsent, both] = [till.book(), till.book(), till.book()];
    till.edit(first, { phone: right });
    await again(first);
    expect(numbers(first)).toEqual([`${right} queued`]);
    await again(unsent);
    till.edit(unsent, { phone: right });
    expect(numbers(unsent).filter((one) => /queued$/.test(one))).toEqual([`${right} queued`]);
    await again(both);
    send();
    till.edit(both, { phone: right, email: "right@example.in" });
    expect(links(both).slice(2)).toEqual(["email queued", "whatsapp queued"]);
  });

  it("goes nowhere where none went by WhatsApp or none is wanted, where it has run out, or for a name", async () => {
    const { id: mailed } = till.bookByStaff({ payment: { by: "link" }, whatsapp: true });
    till.move(mailed, { date: day(30), timeSlot: "10:00" });
    expect(till.messages(mailed).some(({ channel }) => channel === "whatsapp")).toBe(true);
    till.edit(mailed, { phone: right });
    expect(numbers(mailed)).toEqual([]);
    const [id, refused] = [till.book({ phone: wrong }), till.book({ phone: wrong })];
    for (const one of [id, refused]) await again(one);
    send();
    till.edit(id, { name: "Another Name" });
    till.deps.db.runRaw("UPDATE appointment SET whatsapp = 0 WHERE id = ?", [refused]);
    till.edit(refused, { phone: right });
    till.clock.now = till.booking(id).window!.payBefore;
    till.edit(id, { phone: right });
    for (const one of [id, refused]) expect(numbers(one)).toEqual([`${wrong} sent`]);
  });
});

it("is staff's hold from then on: no network's, under no pressure, and cut by no jump of the clock", async () => {
  const id = till.book({ date: day(3) });
  const { version } = till.booking(id);
  expect(address(id)).not.toBeNull();
  await again(id, { version });
  expect(await again(id, { version })).toMatchObject({ code: "stale" });
  expect(address(id)).toBeNull();
  expect(endLongHolds(till.deps)).toBe(0);
  const strict = { ...till.deps.env, rateLimit: true };
  expect(readPressure(till.deps.db, strict, "asha", till.clock.now)).toBeNull();
  const { window } = till.booking(id);
  const to = { date: day(4), timeSlot: "11:00" };
  till.move(id, to);
  expect(till.booking(id).window).toEqual(window);
});

it("a hold taken or moved while the clock was ahead is cut to one that begins now, and no other is", () => {
  // Five hours ahead it may be the next day.
  const next = day(4);
  const last = day(6);
  const soon = day(3);
  const [sound, moved] = [till.book({ date: soon }), till.book({ date: last })];
  till.clock.now += MINUTE;
  const minuteAhead = till.book({ date: soon, timeSlot: "11:00" });
  till.clock.now -= MINUTE;
  const before = [till.booking(sound), till.booking(minuteAhead)];
  till.clock.now += 5 * HOUR;
  const ahead = till.book({ date: next });
  const lost = till.book({ date: next, timeSlot: "14:00" });
  till.move(moved, { date: last, timeSlot: "11:00" });
  till.clock.now -= 5 * HOUR;
  // Something else has been changed since, and one that has lost its time gets none back.
  for (const id of [ahead, moved]) till.edit(id, { name: "Kavya Rao" });
  till.deps.db.runRaw("DELETE FROM session_time WHERE appointment_id = ?", [lost]);
  expect(endLongHolds(till.deps)).toBe(3);
  expect(till.rows("SELECT 1 FROM session_time WHERE appointment_id = ?", lost)).toEqual([]);
  const { window } = till.booking(till.book({ date: day(5) }));
  for (const id of [ahead, moved]) expect(till.booking(id).window).toEqual(window);
  expect([till.booking(sound), till.booking(minuteAhead)]).toEqual(before);
  expect(endLongHolds(till.deps)).toBe(0);
});

it("lasts as it was made, though Settings allow less, whatever else is changed while the clock is ahead", () => {
  const hours = (count: number) => count * 3600;
  till.changeSettings({ paymentWindowSeconds: hours(5), holdSeconds: hours(6) });
  const id = till.book({ date: day(3) });
  const { window } = till.booking(id);
  till.clock.now += HOUR;
  till.edit(id, { name: "Kavya Rao" });
  till.clock.now -= HOUR - 5 * MINUTE;
  till.changeSettings({ paymentWindowSeconds: hours(0.25), holdSeconds: hours(0.5) });
  expect(endLongHolds(till.deps)).toBe(0);
  expect(till.booking(id).window).toEqual(window);
});

it("can be paid until when staff say, within a link's bounds", async () => {
  const id = till.book({ date: day(20) });
  const until = (ahead: number) => again(id, { payBefore: till.clock.now + ahead });
  const errors = { payBefore: [expect.any(String)] };
  expect(await until(0)).toMatchObject({ code: "validation_failed", errors });
  const payBefore = till.clock.now + 7 * 24 * HOUR;
  expect(await until(7 * 24 * HOUR)).toMatchObject({ value: { window: { payBefore } } });
  till.clock.now = till.booking(id).startsAt + MINUTE;
  expect(await until(MINUTE)).toMatchObject({ errors });
});

it("reads an instant, a time in India from the form, and nothing", () => {
  const read = (payBefore?: string) => holdAgainSchema.safeParse({ payBefore });
  const at = instantOf("2026-12-01", "10:00");
  for (const text of ["2026-12-01T10:00", "2026-12-01T04:30:00Z"]) {
    expect(read(text)).toMatchObject({ data: { payBefore: at } });
  }
  for (const text of ["", undefined]) expect(read(text)).toMatchObject({ success: true });
  for (const text of ["soon", "2026-12-01T25:00", "2026-12-01T12:60"]) {
    expect(read(text).error?.issues).toMatchObject([{ path: ["payBefore"] }]);
  }
});

it("is refused where the time is taken or blocked", async () => {
  const [date9, date8] = [day(9), day(8)];
  const [taken, blocked] = [till.book({ date: date9 }), till.book({ date: date8 })];
  till.clock.now += HOUR;
  till.book({ date: date9 });
  const { date, timeSlot } = till.booking(blocked);
  const block = { counselorKey: "asha", dates: [date], timeSlots: [timeSlot] };
  till.setBlocks({ ...block, action: "block" });
  for (const id of [taken, blocked]) {
    expect(await again(id)).toMatchObject({ code: "slot_taken" });
    expect(links(id)).toEqual([]);
  }
});

it("is done for a captain who is off the page, as staff can move the session too", async () => {
  const id = till.book();
  till.clock.now += HOUR;
  setCaptain(till.deps, till.booking(id).counselorKey, { active: false });
  expect(await till.createOrder(id)).toMatchObject({ code: "slot_taken" });
  expect(await again(id)).toMatchObject({ ok: true });
  till.pay(await till.order(id));
  await till.look();
  expect(till.booking(id).status).toBe("confirmed");
});

it("is refused for what is paid, also where nobody knew it yet, cancelled, or not there", async () => {
  const { id } = await till.bookAndPay();
  expect(await again(id)).toMatchObject({ code: "already_paid" });
  const unseen = till.book();
  till.pay(await till.order(unseen));
  expect(await again(unseen)).toMatchObject({ code: "already_paid" });
  expect(till.booking(unseen).status).toBe("confirmed");
  const cancelled = till.book();
  till.cancel(cancelled);
  expect(await again(cancelled)).toMatchObject({ code: "already_cancelled" });
  expect(await again("x".repeat(26))).toMatchObject({ code: "not_found" });
});

it("is refused while a payment is under way, and where the provider cannot be asked", async () => {
  const id = till.book();
  till.pay(await till.order(id), { status: "authorized" });
  expect(await again(id)).toMatchObject({ code: "payment_under_way" });
  till.razorpay.payments[0]!.status = "failed";
  till.razorpay.instead = () => BROKEN;
  expect(await again(id)).toMatchObject({ code: "provider_unavailable" });
  till.razorpay.instead = () => undefined;
  expect(links(id)).toEqual([]);
  expect(await again(id)).toMatchObject({ ok: true });
});

it("keeps its time to pay where its visitor moves it, and then is neither let go nor opened anew by their form", async () => {
  const person = bookingBody({ date: day(9) });
  let ownToken: string | null = null;
  const book = (changes: object) => {
    const origin = { clientAddress: "192.0.2.1", ownToken };
    const booked = bookSession(till.deps, bookingInput({ ...person, ...changes }), origin);
    if (!booked.ok) throw new Error(booked.message);
    ownToken ??= booked.value.token;
    return booked.value.appointment;
  };
  const { id } = book({});
  await again(id);
  const { window } = till.booking(id);
  till.clock.now += 3 * HOUR;
  expect(book({ timeSlot: "15:00" })).toMatchObject({ id, timeSlot: "15:00", window });
  const other = { date: day(12), email: "other@example.in", phone: "9845099999" };
  expect(book(other).id).not.toBe(id);
  expect(till.booking(id)).toMatchObject({ timeSlot: "15:00", window });
  expect(hasOpenLink(till.booking(id), till.clock.now)).toBe(true);
  till.clock.now = window!.payBefore + MINUTE;
  const next = book({ timeSlot: "16:00" });
  expect(next.id).not.toBe(id);
  expect(address(next.id)).not.toBeNull();
  expect(till.booking(id)).toMatchObject({ timeSlot: "15:00", renewals: 0 });
});

it("a page's address that says the time is kept is believed only while it is", () => {
  const id = till.book();
  expect(till.pageOf(id, "ready").notice?.title).toBe("One more step");
  till.clock.now += HOUR / 2;
  expect(till.pageOf(id, "ready")).toMatchObject({ state: "renewable", notice: null });
  expect(till.pageOf(id, "cancelled").notice?.title).toBe("Payment Cancelled");
});
