import { beforeEach, describe, expect, it } from "vitest";
import { adminOf, book, bookAndPay, makeOrder } from "#tests/support/admin.ts";
import { type BookingBody, dayAhead, daysFrom } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { signedBy } from "#tests/support/signed-by.ts";

const app = sharedApp();
const desk = sharedAdmin(app);
beforeEach(() => app.sandbox.switches.clear());

const nextDay = daysFrom(20);
/** Books a time of its own and makes its order. */
async function bookAndOrder(changes: Partial<BookingBody> = {}) {
  const booked = await book(app, { date: nextDay(), ...changes });
  const ordered = await makeOrder(app, booked.id);
  return { ...booked, ordered, order: ordered.data };
}

const verify = (id: string, proof: object) =>
  app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
const rows = (sql: string, ...parameters: unknown[]) => app.db.allRaw<any>(sql, parameters);

const read = async (path: string) => (await app.api(path)).words;

describe("create-order", () => {
  it("answers the same order again, in rupees, and asks the provider for paise", async () => {
    const { id, order, body } = await bookAndOrder({ package: 60 });
    expect(order).toMatchObject({
      amount: 1769,
      currency: "INR",
      keyId: app.sandbox.credentials.keyId,
      appointmentDetails: { id, name: body.name, email: body.email },
    });
    expect((await makeOrder(app, id)).data.orderId).toBe(order.orderId);
    expect(app.sandbox.ledger.orders.get(order.orderId)?.amount).toBe(176_900);
  });

  it("after the window was closed finds what it took, though nothing was heard of it", async () => {
    app.sandbox.switches.set({ name: "webhook_off" });
    const { id, order } = await bookAndOrder();
    const closed = { json: { appointmentId: id, windowClosed: true } };
    const ask = () => app.api("/api/payments/create-order", closed);
    expect((await ask()).data.orderId).toBe(order.orderId);
    const hold = rows("SELECT pay_before, hold_until FROM appointment WHERE id = ?", id)[0];
    app.db.runRaw("UPDATE appointment SET pay_before = 1 WHERE id = ?", [id]);
    expect(await ask()).toMatchObject({ status: 409, code: "stale" });
    app.db.runRaw("UPDATE appointment SET pay_before = ? WHERE id = ?", [hold.pay_before, id]);
    expect(rows("SELECT pay_before, hold_until FROM appointment WHERE id = ?", id)).toEqual([hold]);
    app.sandbox.pay(order.orderId, { outcome: "captured" });
    expect((await makeOrder(app, id)).data.orderId).toBe(order.orderId);
    expect(await ask()).toMatchObject({ status: 409, code: "already_paid" });
  });

  it("refuses unknown and malformed ids", async () => {
    for (const [appointmentId, status] of [
      ["abcdefghijkmnpqrstuvwxyz23", 404],
      ["../../etc", 400],
      [7, 400],
      [undefined, 400],
    ] as const) {
      const answer = await app.api("/api/payments/create-order", { json: { appointmentId } });
      expect(answer.status).toBe(status);
    }
  });

  const ordersOf = (id: string) =>
    [...app.sandbox.ledger.orders.values()].filter(
      ({ notes }) => notes && "booking" in notes && notes.booking === id,
    );

  it("keeps the booking when the provider is down, and finds a lost order again", async () => {
    app.sandbox.switches.set({ name: "api_json_error", value: 503 });
    const { id, ordered } = await bookAndOrder();
    app.sandbox.switches.clear();
    expect([ordered.status, ordered.code]).toEqual([502, "provider_unavailable"]);
    expect(ordered.headers.get("retry-after")).toBe("5");
    expect(rows("SELECT 1 FROM session_time WHERE appointment_id = ?", id)).toHaveLength(1);
    app.sandbox.switches.set({ name: "order_answer_lost", count: 1 });
    for (let attempt = 0; attempt < 2; attempt++) {
      const again = await makeOrder(app, id);
      expect(again.status).toBe(200);
      expect(ordersOf(id).map((order) => order.id)).toEqual([again.data.orderId]);
    }
  });
});

describe("verify", () => {
  it("answers the confirmation, with its one invoice, however often it is called", async () => {
    const { id, order } = await bookAndOrder();
    const proof = app.sandbox.pay(order.orderId, { outcome: "captured" });
    const answers = await Promise.all([verify(id, proof), verify(id, proof)]);
    await app.sandbox.idle();
    answers.push(await verify(id, proof));
    for (const { status, data } of answers) {
      expect(status).toBe(200);
      expect(data).toMatchObject({
        status: "confirmed",
        invoiceUrl: `/api/invoice/${id}`,
        razorpayPaymentId: proof.razorpay_payment_id,
      });
      expect(data.refund).toBeUndefined();
    }
    expect(rows("SELECT number FROM document WHERE appointment_id = ?", id)).toHaveLength(1);
    const later = await makeOrder(app, id);
    expect([later.status, later.code]).toEqual([409, "already_paid"]);
  });

  it("refuses forged signatures and orders of other bookings", async () => {
    const one = await bookAndOrder();
    const two = await bookAndOrder();
    const proof = app.sandbox.pay(one.order.orderId, { outcome: "captured", webhooks: false });
    const forged = await verify(one.id, { ...proof, razorpay_signature: "0".repeat(64) });
    expect([forged.status, forged.code]).toEqual([400, "invalid_signature"]);
    const madeUp = { razorpay_order_id: "order_x", razorpay_payment_id: "pay_x" };
    const wrong = await verify(one.id, { ...madeUp, razorpay_signature: "x" });
    expect([wrong.status, wrong.code]).toEqual([400, "invalid_signature"]);
    const foreign = await verify(two.id, proof);
    expect([foreign.status, foreign.code]).toEqual([409, "order_mismatch"]);
    const unknown = await verify("abcdefghijkmnpqrstuvwxyz23", { ...proof, ...madeUp });
    expect(unknown.status).toBe(404);
    const malformed = await verify("nope", proof);
    expect(malformed.status).toBe(400);
    expect(rows("SELECT * FROM payment WHERE appointment_id IN (?, ?)", one.id, two.id)).toEqual(
      [],
    );
  });

  it("says checking while the money is not captured or not readable", async () => {
    const { id, order } = await bookAndOrder();
    const proof = app.sandbox.pay(order.orderId, { outcome: "authorized", webhooks: false });
    const answer = await verify(id, proof);
    expect(answer.data).toMatchObject({ status: "pending_payment", payment: "checking" });
    const { text } = await app.api(`/booking/${id}`);
    expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="4"/i);
  });

  it("asks nobody to pay while the money is being checked, whatever the address says", async () => {
    const { id, order } = await bookAndOrder();
    const readFor = (query: string) => read(`/booking/${id}?${query}`);
    expect(await readFor("payment=cancelled")).toContain("You can try again later.");
    const proof = app.sandbox.pay(order.orderId, { outcome: "authorized", webhooks: false });
    await verify(id, proof);
    for (const query of ["payment=cancelled", "payment=failed", "payment=amount", "done=moved"]) {
      const words = await readFor(query);
      expect(words, query).toContain("Please do not pay again.");
      expect(words, query).not.toMatch(/try again|Please pay/i);
    }
  });

  it("says to nobody who cancels meanwhile that nothing was paid", async () => {
    const { id, body, order } = await bookAndOrder();
    await verify(id, app.sandbox.pay(order.orderId, { outcome: "authorized", webhooks: false }));
    const dialog = (await desk.page(`/admin/appointments/${id}/cancel`)).words;
    const asked = await read(`/booking/${id}/cancel`);
    await app.api(`/booking/${id}/cancel`, { form: { email: body.email } });
    const done = await read(`/booking/${id}?done=cancelled`);
    expect(dialog).toContain("A payment of ₹1,179.00 is still being checked.");
    for (const words of [asked, done]) {
      expect(words).toContain("A payment of ₹1,179 is still being checked. If it arrives, all of");
    }
    for (const words of [dialog, asked, done]) {
      expect(words).not.toMatch(/Nothing was paid|not paid,/);
    }
  });
});

describe("the webhook", () => {
  it("confirms alone, and is kept without what it says of a person", async () => {
    const { id, body, order } = await bookAndOrder();
    app.sandbox.pay(order.orderId, { outcome: "captured" });
    await eventually(() =>
      expect(rows("SELECT status FROM appointment WHERE id = ?", id)).toEqual([
        { status: "confirmed" },
      ]),
    );
    const kept = () => rows("SELECT body FROM provider_event WHERE order_id = ?", order.orderId);
    await eventually(() => expect(kept().length).toBeGreaterThan(0));
    await app.sandbox.idle();
    for (const row of kept()) {
      expect(JSON.parse(row.body).payload.payment.entity).toMatchObject({ amount: 117_900 });
      expect(row.body).not.toMatch(/email|contact|vpa|card|bank|notes|acquirer/);
      expect(row.body).not.toContain(body.email);
    }
  });

  it("is recorded once, and refused with a wrong signature", async () => {
    const body = '{"entity":"event","event":"order.paid","payload":{}}';
    const { webhookSecret } = app.sandbox.credentials;
    const headers = {
      "Content-Type": "application/json",
      "x-razorpay-event-id": "evt_once",
      "X-Razorpay-Signature": signedBy(webhookSecret, body),
    };
    for (let i = 0; i < 3; i++) {
      expect((await app.api("/webhooks/razorpay", { body, headers })).status).toBe(200);
    }
    expect(rows("SELECT event_id FROM provider_event WHERE event_id = 'evt_once'")).toHaveLength(1);
    const forged = await app.api("/webhooks/razorpay", {
      body: `${body} `,
      headers: { ...headers, "x-razorpay-event-id": "evt_forged" },
    });
    expect([forged.status, forged.code]).toEqual([400, "invalid_signature"]);
    expect(rows("SELECT 1 FROM provider_event WHERE event_id = 'evt_forged'")).toEqual([]);
  });
});

describe("the invoice", () => {
  it("is 404 before payment and a right, reproducible PDF after", async () => {
    const { id, order } = await bookAndOrder();
    const before = await app.api(`/api/invoice/${id}`);
    expect([before.status, before.message]).toEqual([
      404,
      "Invoice is not available for this appointment.",
    ]);
    await verify(id, app.sandbox.pay(order.orderId, {}));
    const fetchPdf = async () => {
      const { headers, bytes } = await app.api(`/api/invoice/${id}`);
      expect(headers.get("content-type")).toBe("application/pdf");
      expect(headers.get("content-disposition")).toMatch(/^inline; filename="AC-/);
      return bytes;
    };
    const [one, two] = [await fetchPdf(), await fetchPdf()];
    expect(one.equals(two)).toBe(true);
    const text = await pdfText(one);
    const [{ number }] = rows("SELECT number FROM document WHERE appointment_id = ?", id);
    for (const part of [number, "999.00", "89.91", "1,179.00"]) expect(text).toContain(part);
  });
});

it("the booking's page names each refund of the provider's dashboard and the sums, and promises no full refund any more", async () => {
  const { id, paymentId } = await bookAndPay(app, { date: dayAhead(9) });
  const page = () => read(`/booking/${id}`);
  expect(await page()).toContain("Free to move or cancel until");
  expect(await page()).not.toContain("Kept");
  const payment = app.sandbox.ledger.requirePayment(paymentId);
  app.sandbox.desk.create(payment, { amount: 20_000 });
  await eventually(async () =>
    expect(await page()).toContain("Razorpay has sent ₹200 to your bank."),
  );
  const part = await page();
  expect(part).toContain("Paid ₹1,179 Refund ₹200 Kept ₹979");
  expect(part).toContain("cancel it and get the other ₹979 back");
  expect(part).toContain("Download credit note");
  expect(part).not.toMatch(/full refund|in full|Free to move or cancel/);
  await (await adminOf(app))(`/appointments/${id}/cancel`, { method: "POST" });
  await eventually(async () => {
    const { text } = await app.api(`/booking/${id}`);
    const links = [...text.matchAll(/href="(\/api\/credit-note\/[^"]+)"/g)].map(([, to]) => to!);
    const files = await Promise.all(links.map((to) => app.api(to)));
    const names = files.map(({ headers }) => headers.get("content-disposition"));
    expect([files.length, new Set(names).size]).toEqual([2, 2]);
  });
  const says = /Razorpay has sent ₹200.*₹979 .*Paid ₹1,179 Refund ₹1,179 Kept ₹0/;
  expect(await page()).toMatch(says);
  expect(await read(`/booking/${id}/cancel`)).toMatch(says);
});

/** A post from the provider's site, without our cookies. */
describe("the hosted form's return", () => {
  const post = (id: string, form: Record<string, string>) =>
    app.api(`/payments/callback?booking=${id}`, {
      form,
      headers: { Origin: "https://api.razorpay.com", "Sec-Fetch-Site": "cross-site" },
    });

  it("confirms by its signature alone, again too, and leads to the booking's page", async () => {
    const { id, order } = await bookAndOrder();
    const other = await bookAndOrder();
    const { payment: _, ...proof } = app.sandbox.pay(order.orderId, { webhooks: false });
    const forged = { ...proof, razorpay_signature: "0".repeat(64) };
    const { razorpay_signature: __, ...unsigned } = proof;
    for (const [booking, form] of [
      [id, forged],
      [id, unsigned],
      [other.id, proof],
    ] as const) {
      const answer = await post(booking, form);
      expect(answer.led).toEqual([303, `/booking/${booking}?payment=unverified`]);
    }
    const statuses = "SELECT status FROM appointment WHERE id IN (?, ?)";
    const pending = { status: "pending_payment" };
    expect(rows(statuses, id, other.id)).toEqual([pending, pending]);
    expect(rows("SELECT 1 FROM payment WHERE order_id = ?", order.orderId)).toEqual([]);
    // What the provider itself signed counts, after all the forged ones.
    for (let i = 0; i < 2; i++)
      expect((await post(id, proof)).led).toEqual([303, `/booking/${id}`]);
    expect(rows(statuses, id, id)).toEqual([{ status: "confirmed" }]);
  });

  it("says of a deleted booking's payment that it is found, as verifying does", async () => {
    const { id, order } = await bookAndOrder();
    const { payment: _, ...proof } = app.sandbox.pay(order.orderId, { webhooks: false });
    const admin = await adminOf(app);
    await admin(`/appointments/${id}`, { method: "DELETE" });
    const found = "we will find it and send it back or write to you";
    const verified = await verify(id, proof);
    expect([verified.status, verified.text]).toEqual([404, expect.stringContaining(found)]);
    const forged = { ...proof, razorpay_signature: "0".repeat(64) };
    for (const [form, isSaid] of [
      [proof, true],
      [forged, false],
    ] as const) {
      const answer = await post(id, form);
      expect([answer.status, answer.text.includes(found)]).toEqual([404, isSaid]);
    }
  });

  it("says that a payment failed, and does not know unknown bookings", async () => {
    const { id } = await bookAndOrder();
    const failed = await post(id, { "error[code]": "BAD_REQUEST_ERROR" });
    expect(failed.to).toBe(`/booking/${id}?payment=failed`);
    expect((await post("abcdefghijkmnpqrstuvwxyz23", {})).status).toBe(404);
  });
});
