import { beforeEach, expect, it } from "vitest";
import { bookAndPay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
beforeEach(() => app.sandbox.switches.clear());

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
  // The webhook of the first try comes once more, late: it changes nothing.
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
