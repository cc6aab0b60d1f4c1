/** The calls of staff's bookings and money, as the contract has them. */
import { expect, it } from "vitest";
import { book, bookAndPay, endHold, pay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { bookingBody, dayAhead, daysFrom } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const nextDay = daysFrom(10);
const staffWish = (changes: object = {}) => {
  const { packagePrice: _, ...fields } = bookingBody({ date: nextDay() });
  return { ...fields, payment: { by: "link" }, ...changes };
};
const CASH = { by: "offline", method: "cash", reference: "R-1" };
const make = (body: object, headers: Record<string, string> = {}) =>
  admin("/appointments", { json: body, headers });
const detail = async (id: string) => (await admin(`/appointments/${id}`)).data;

it("a booking with a link is answered with the address to pay at, and is paid there", async () => {
  const body = staffWish({ staffNote: "Called" });
  const made = await make(body);
  expect([made.status, made.text]).toEqual([201, expect.stringMatching(/^{"status":"success"/)]);
  const { appointment, payUrl } = made.data;
  expect(appointment).toMatchObject({
    name: body.name,
    status: "pending_payment",
    source: "staff",
    attendance: null,
    payBefore: expect.stringMatching(/Z$/),
  });
  expect(payUrl).toBe(`${app.origin}/booking/${appointment.id}`);
  expect((await fetch(payUrl)).status).toBe(200);
  expect((await pay(app, appointment.id)).status).toBe("confirmed");
  expect(await detail(appointment.id)).toMatchObject({
    appointment: { staffNote: "Called", source: "staff" },
    payments: [{ source: "provider" }],
  });
});

it("one paid outside is confirmed, with an invoice and no provider's payment", async () => {
  const { status, data } = await make(staffWish({ payment: CASH }));
  expect(status).toBe(201);
  expect(data).toMatchObject({
    appointment: { status: "confirmed", invoiceUrl: expect.any(String) },
    payUrl: null,
  });
  expect(data.appointment).not.toHaveProperty("razorpayPaymentId");
  const { payments, invoice } = await detail(data.appointment.id);
  expect(payments).toMatchObject([
    {
      source: "offline",
      method: "cash",
      reference: "R-1",
      amount: 1179,
      fee: 0,
      feeTax: 0,
      net: 1179,
    },
  ]);
  expect(payments[0].receivedOn).toBe(dayAhead(0));
  expect(invoice.number).toEqual(expect.any(String));
});

it.each([
  [{ payment: undefined }, "payment"],
  [{ payment: { by: "offline" } }, "payment"],
  [{ payment: { by: "offline", method: "barter" } }, "payment"],
  [{ payment: { by: "link", payBefore: "tomorrow" } }, "payment"],
  [{ payment: { by: "link", payBefore: "2020-01-01T00:00:00Z" } }, "payment"],
  [{ payment: { ...CASH, receivedOn: "yesterday" } }, "receivedOn"],
  [{ payment: { ...CASH, receivedOn: dayAhead(2) } }, "receivedOn"],
  [{ counselor: "Capt. Nobody" }, "counselor"],
  [{ staffNote: "x".repeat(2_001) }, "staffNote"],
])("%j is refused at its field", async (changes, field) => {
  const refused = await make(staffWish(changes));
  expect(refused).toMatchObject({ status: 400, code: "validation_failed" });
  expect(Object.keys(refused.errors ?? {})).toEqual([field]);
});

it("an optional field may be null in a change too, which empties a note", async () => {
  const { id } = await bookAndPay(app, { date: nextDay(), notes: "Why fly?" });
  const path = `/appointments/${id}`;
  const edit = (json: object) => admin(path, { method: "PATCH", json });
  const open = { version: null, counselor: null, override: null };
  const moved = { date: nextDay(), newTimeSlot: "11:00", ...open };
  expect((await admin(`${path}/reschedule`, { method: "PUT", json: moved })).status).toBe(200);
  expect((await edit({ staffNote: "Called" })).status).toBe(200);
  const answer = await edit({ staffNote: null, notes: null, version: null });
  expect([answer.status, answer.data?.appointment.meta]).toEqual([200, {}]);
  expect((await detail(id)).appointment.staffNote).toBeNull();
  expect((await edit({ email: null })).errors).toHaveProperty("email");
});

it("a lapsed hold is the customer's again, for a day or until when staff say", async () => {
  const { id } = await book(app, { date: nextDay() });
  endHold(app, id);
  const hold = (json: object = {}, of = id) => admin(`/appointments/${of}/hold`, { json });
  for (const payBefore of ["soon", 7]) {
    expect(await hold({ payBefore })).toMatchObject({
      status: 400,
      errors: { payBefore: [expect.any(String)] },
    });
  }
  const held = await hold();
  expect(held.data).toMatchObject({
    appointment: { id, status: "pending_payment", source: "visitor" },
    payUrl: `${app.origin}/booking/${id}`,
  });
  const until = Date.parse(held.data.appointment.payBefore) - Date.now();
  expect(Math.round(until / 3_600_000)).toBe(24);
  const payBefore = new Date(Date.now() + 7 * 86_400_000 - 60_000).toISOString();
  expect((await hold({ payBefore })).data.appointment.payBefore).toBe(payBefore);
  expect(await hold({}, "x")).toMatchObject({ status: 404, code: "not_found" });
});

it("a part goes back without cancelling, once for its key and with its credit note", async () => {
  const { id } = await bookAndPay(app, { date: nextDay() });
  const path = `/appointments/${id}/refund`;
  for (const [json, field] of [
    [{ amount: 0.5, reason: "x" }, "amount"],
    [{ amount: 1_178.5, reason: "x" }, "amount"],
    [{ amount: 1.234, reason: "x" }, "amount"],
    [{ amount: 5 }, "reason"],
  ] as const) {
    const refused = await admin(path, { json });
    expect([refused.status, Object.keys(refused.errors ?? {})]).toEqual([400, [field]]);
  }
  const json = { amount: 179.5, reason: "Began late" };
  const headers = { "Idempotency-Key": `part-${id}` };
  const first = await admin(path, { json, headers });
  expect(first.data.refund).toMatchObject({ amount: 179.5, status: "wanted" });
  // The same refund, as it now stands.
  const { refundId, amount } = first.data.refund;
  const again = await admin(path, { json, headers });
  expect(again.data.refund).toMatchObject({ refundId, amount });
  const paths = [
    path,
    "/appointments",
    `/appointments/${id}/cancel`,
    `/appointments/${id}/payment`,
  ];
  for (const one of paths) {
    const other = await admin(one, { json: { amount: 5, by: "nobody" }, headers });
    expect([one, other.code]).toEqual([one, "idempotency_conflict"]);
  }
  await eventually(async () => {
    expect((await detail(id)).creditNotes).toMatchObject([{ amount: 179.5 }]);
  });
});

it("cancelling says who, why and how much; all goes back when the business cancels", async () => {
  const { id } = await bookAndPay(app, { date: nextDay() });
  const path = `/appointments/${id}/cancel`;
  for (const json of [
    { by: "business", refund: { amount: 10 } },
    { by: "captain" },
    { refund: "half" },
  ]) {
    expect(await admin(path, { json }), JSON.stringify(json)).toMatchObject({ status: 400 });
  }
  const headers = { "Idempotency-Key": `cancel-${id}` };
  const json = { reason: "The captain flies that day" };
  const cancelled = await admin(path, { json, headers });
  expect(cancelled.data).toMatchObject({
    appointment: { id, status: "cancelled" },
    refund: { status: "wanted", amount: 1179 },
  });
  const again = await admin(path, { json, headers });
  expect(again.data.appointment).toEqual(cancelled.data.appointment);
  expect(again.data.refund.amount).toBe(1179);
  expect((await app.api(`/booking/${id}`)).text).toContain("The captain flies that day");
});

it("a refund of offline money is settled once", async () => {
  const { data } = await make(staffWish({ payment: CASH }));
  const { id } = data.appointment;
  const cancelled = await admin(`/appointments/${id}/cancel`, { json: { by: "customer" } });
  expect(cancelled.data.refund).toEqual({ status: "needs_person", amount: 1179 });
  const { refundId } = (await detail(id)).payments[0].refund;
  const settle = () => admin(`/refunds/${refundId}/settle`, { json: { reference: "V-3" } });
  const status = "processed";
  expect((await settle()).data.refund).toMatchObject({ refundId, status, providerRefundId: null });
  expect(await settle()).toMatchObject({ status: 409, code: "stale" });
  expect(await admin("/refunds/nobody/settle", { json: {} })).toMatchObject({ status: 404 });
  expect((await detail(id)).creditNote).toMatchObject({ refundId, amount: 1179 });
});

it("a refund that the provider failed is tried again", async () => {
  const { id, paymentId } = await bookAndPay(app, { date: nextDay() });
  app.sandbox.switches.set({ name: "refund_fails_later", count: 1, value: 0.2 });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  const refund = () =>
    app.db.firstRaw<{ id: string; state: string }>("SELECT * FROM refund WHERE payment_id = ?", [
      paymentId,
    ]);
  await eventually(() => expect(refund()?.state).toBe("failed"));
  const refundId = refund()!.id;
  const retry = (of: string) => admin(`/refunds/${of}/retry`, { method: "POST" });
  const wanted = { providerRefundId: null, amount: 1179, status: "wanted", way: "provider" };
  expect((await retry(refundId)).data).toEqual({ refundId, ...wanted });
  expect((await retry(UNKNOWN_ID)).status).toBe(404);
});

it("sends a message again and logs it", async () => {
  const { id, email } = (await make(staffWish())).data.appointment;
  await app.sandbox.mailbox.waitFor({ to: email });
  const [mail] = (await detail(id)).messages;
  const kind = "payment_link";
  const answer = await admin(`/messages/${mail.id}/resend`, { method: "POST" });
  expect(answer.status).toBe(200);
  expect(answer.data).toMatchObject({ id: mail.id, kind, state: "queued" });
  expect(await app.sandbox.mailbox.waitFor({ to: email, min: 2 })).toHaveLength(2);
  const [resend] = (await detail(id)).history.filter(
    ({ action }: { action: string }) => action === "resend",
  );
  expect(resend).toMatchObject({ after: { kind } });
  const unknown = await admin(`/messages/${UNKNOWN_ID}/resend`, { method: "POST" });
  expect([unknown.status, unknown.code]).toEqual([404, "not_found"]);
});
