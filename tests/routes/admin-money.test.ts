import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { assignUnmatched, refundUnmatched } from "#app/payments/unmatched.server.ts";
import { listUnmatchedPayments } from "#db/queries/payments.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { type AdminApi, adminOf, book, bookAndPay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { eventually } from "#tests/support/eventually.ts";

let app: TestApp;
let admin: AdminApi;
let made: TestDeps;
let deps: Deps;
beforeAll(async () => {
  app = await startTestApp();
  admin = await adminOf(app);
  made = await makeDeps();
  const { env } = parseEnv(app.env);
  const provider = createRazorpay(env.razorpay);
  deps = { ...made.deps, db: app.db, env, provider, now: Date.now };
});
afterAll(async () => {
  made.close();
  await app.stop();
});
beforeEach(() => app.sandbox.switches.clear());

const ACTOR = { kind: "admin", username: "admin", role: "owner" } as const;
let day = 20;
const nextDay = () => {
  day += 1;
  return dayAhead(day);
};

const refundOf = (paymentId: string) =>
  app.db.firstRaw<{ id: string; state: string; key_generation: number }>(
    "SELECT * FROM refund WHERE payment_id = ?",
    [paymentId],
  );

it("sends a message again and logs it", async () => {
  const { id, body } = await bookAndPay(app, { date: nextDay() });
  await app.sandbox.mailbox.waitFor({ to: body.email });
  const { data } = await admin(`/appointments/${id}`);
  const mail = data.messages.find((m: { kind: string }) => m.kind === "booking_confirmed");
  const answer = await admin(`/messages/${mail.id}/resend`, { method: "POST" });
  expect(answer.httpStatus).toBe(200);
  expect(answer.data).toMatchObject({ id: mail.id, kind: "booking_confirmed", state: "queued" });
  expect(await app.sandbox.mailbox.waitFor({ to: body.email, min: 2 })).toHaveLength(2);
  const { data: after } = await admin(`/appointments/${id}`);
  expect(after.history).toMatchObject([{ action: "resend", after: { kind: "booking_confirmed" } }]);
  const unknown = await admin(`/messages/${UNKNOWN_ID}/resend`, { method: "POST" });
  expect([unknown.httpStatus, unknown.code]).toEqual([404, "not_found"]);
});

it("tries a refund again that the provider failed, under a new key", async () => {
  const { id, paymentId } = await bookAndPay(app, { date: nextDay() });
  app.sandbox.switches.set({ name: "refund_fails_later", count: 1, value: 0.2 });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  await eventually(() => expect(refundOf(paymentId)?.state).toBe("failed"));
  const [failed] = app.db.allRaw<{ event_id: string; body: string }>(
    "SELECT * FROM provider_event WHERE kind = 'refund.failed' AND payment_id = ?",
    [paymentId],
  );
  const refund = refundOf(paymentId)!;
  const answer = await admin(`/refunds/${refund.id}/retry`, { method: "POST" });
  const wanted = { providerRefundId: null, amount: 1179, status: "wanted", way: "provider" };
  expect(answer.data).toEqual({ refundId: refund.id, ...wanted });
  await eventually(() => expect(refundOf(paymentId)?.state).toBe("processed"));
  expect(refundOf(paymentId)?.key_generation).toBe(2);
  // The news of the first try comes once more, late: it changes nothing.
  app.db.runRaw(
    `INSERT INTO provider_event (event_id, kind, body, state, next_try_at, received_at)
     VALUES ('late', 'refund.failed', ?, 'new', 0, 0)`,
    [failed!.body],
  );
  await eventually(() =>
    expect(
      app.db.allRaw("SELECT 1 FROM provider_event WHERE event_id = 'late' AND state = 'done'"),
    ).toHaveLength(1),
  );
  expect(app.db.allRaw("SELECT 1 FROM refund WHERE payment_id = ?", [paymentId])).toHaveLength(1);
  expect(refundOf(paymentId)?.state).toBe("processed");
  const notes = app.db.allRaw(
    "SELECT 1 FROM document WHERE payment_id = ? AND kind = 'credit_note'",
    [paymentId],
  );
  expect(notes).toHaveLength(1);
  // By the payment's id, done: nothing happens any more.
  const done = await admin(`/refunds/${paymentId}/retry`, { method: "POST" });
  expect(done.data).toMatchObject({ refundId: refund.id, status: "processed" });
  expect((await admin(`/refunds/${UNKNOWN_ID}/retry`, { method: "POST" })).httpStatus).toBe(404);
});

/** Pays for a booking that is deleted before the money comes. */
async function unmatched(minutes = 30): Promise<string> {
  const { id } = await book(app, { date: nextDay(), package: minutes });
  const { data: order } = await app.api("/api/payments/create-order", {
    json: { appointmentId: id },
  });
  await admin(`/appointments/${id}`, { method: "DELETE" });
  const proof = app.sandbox.pay(order.orderId, { outcome: "captured" });
  await eventually(() =>
    expect(
      app.db.allRaw("SELECT 1 FROM payment WHERE payment_id = ? AND outcome = 'unmatched'", [
        proof.razorpay_payment_id,
      ]),
    ).toHaveLength(1),
  );
  return proof.razorpay_payment_id;
}

it("sends unmatched money back once", async () => {
  const paymentId = await unmatched();
  expect(listUnmatchedPayments(app.db).map((row) => row.paymentId)).toEqual([paymentId]);
  expect(refundUnmatched(deps, ACTOR, paymentId)).toMatchObject({
    ok: true,
    value: { refund: { state: "wanted", amountPaise: 117_900 } },
  });
  expect(refundUnmatched(deps, ACTOR, paymentId)).toMatchObject({ ok: false, code: "stale" });
  expect(refundUnmatched(deps, ACTOR, "pay_none")).toMatchObject({ ok: false, code: "not_found" });
  await eventually(() => expect(refundOf(paymentId)?.state).toBe("processed"));
  const { data } = await admin("/activity-logs?q=unmatched_refund");
  expect(data.logs).toMatchObject([{ target: paymentId, after: { refund: 1179 } }]);
});

it("lets unmatched money pay a pending booking if amount and time allow it", async () => {
  const paymentId = await unmatched();
  const dear = await book(app, { date: nextDay(), package: 60 });
  expect(await assignUnmatched(deps, ACTOR, paymentId, dear.id)).toMatchObject({
    ok: false,
    code: "amount_mismatch",
  });
  const paid = await bookAndPay(app, { date: nextDay() });
  expect(await assignUnmatched(deps, ACTOR, paymentId, paid.id)).toMatchObject({
    code: "already_paid",
  });
  const date = nextDay();
  const late = await book(app, { date });
  app.db.runRaw("UPDATE appointment SET hold_until = 1, pay_before = 1 WHERE id = ?", [late.id]);
  app.db.runRaw("UPDATE session_time SET held_until = 1 WHERE appointment_id = ?", [late.id]);
  await book(app, { date });
  expect(await assignUnmatched(deps, ACTOR, paymentId, late.id)).toMatchObject({
    code: "slot_taken",
  });

  const { id, body } = await book(app, { date: nextDay() });
  expect(await assignUnmatched(deps, ACTOR, paymentId, id)).toMatchObject({
    ok: true,
    value: { status: "confirmed", paymentId },
  });
  expect(await assignUnmatched(deps, ACTOR, paymentId, id)).toMatchObject({ code: "stale" });
  const { data } = await admin(`/appointments/${id}`);
  expect(data.invoice.number).toMatch(/^AC\//);
  expect(await app.sandbox.mailbox.waitFor({ to: body.email })).toHaveLength(1);
  const stats = await admin(`/appointments?q=${encodeURIComponent(body.email)}`);
  expect(stats.data.stats).toMatchObject({ confirmedAppointments: 1, totalRevenue: 1179 });
  const cancelled = await admin(`/appointments/${id}/cancel`, { method: "POST" });
  expect(cancelled.data.refund).toEqual({ status: "wanted", amount: 1179 });
});
