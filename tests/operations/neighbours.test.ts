/** What is done to one booking is done to no other: each with a second one beside it. */
import { expect, it } from "vitest";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { addDays } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { aboutPayment } from "#tests/support/till.ts";

const CUSTOMER = { kind: "customer" } as const;

const till = freshTill();

const timeOf = (id: string) =>
  till.rows("SELECT starts_at, held_until FROM session_time WHERE appointment_id = ?", id);

/** Everything that stands in the rows of an appointment. */
const everythingOf = (id: string) => ({
  appointment: till.rows("SELECT * FROM appointment WHERE id = ?", id),
  time: timeOf(id),
  messages: till.rows("SELECT * FROM message WHERE appointment_id = ?", id),
  orders: till.rows("SELECT * FROM payment_order WHERE appointment_id = ?", id),
  payments: till.rows("SELECT * FROM payment WHERE appointment_id = ?", id),
  documents: till.rows("SELECT * FROM document WHERE appointment_id = ?", id),
  activity: till.rows("SELECT * FROM activity WHERE target = ?", id),
  events: till.rows(
    "SELECT * FROM provider_event WHERE order_id IN (SELECT order_id FROM payment_order WHERE appointment_id = ?)",
    id,
  ),
});

/** An event as it was kept before bodies were kept without what they say of a person. */
function oldEvent(orderId: string, email: string): void {
  const entity = { id: "pay_00000000000old", order_id: orderId, email };
  addRow(till.deps.db, "provider_event", `evt-${orderId}`, {
    kind: "payment.failed",
    state: "done",
    received_at: till.clock.now,
    done_at: 1,
    body: JSON.stringify({ event: "payment.failed", payload: { payment: { entity } } }),
  });
}

const eventBody = (orderId: string) =>
  till.rows("SELECT body FROM provider_event WHERE event_id = ?", `evt-${orderId}`)[0].body;

it("what was never paid goes alone: its person, its messages and its time", async () => {
  const gone = till.book({ email: "gone@example.in" });
  const goneOrder = await till.order(gone);
  oldEvent(goneOrder, "gone@example.in");
  till.clock.now += 100 * DAY;
  const { id: paid, orderId } = await till.bookAndPay({ email: "paid@example.in" });
  oldEvent(orderId, "paid@example.in");
  const held = till.book({ email: "held@example.in" });
  const before = [everythingOf(paid), everythingOf(held)];
  expect(timeOf(gone)).toHaveLength(1);
  expect(await till.sweep()).toMatchObject({ erased: 1 });
  expect([everythingOf(paid), everythingOf(held)]).toEqual(before);
  expect(timeOf(gone)).toEqual([]);
  const nobody = { name: "", email: "", phone: "", notes: null };
  expect(till.booking(gone).contact).toEqual(nobody);
  expect(eventBody(goneOrder)).not.toContain("gone@example.in");
  expect(eventBody(orderId)).toContain("paid@example.in");
});

it("a deleted booking takes its person out of the provider's events, and no other's", async () => {
  const { id, orderId, payment } = await till.bookAndPay();
  const { id: otherId, orderId: otherOrder } = await till.bookAndPay();
  oldEvent(orderId, "deleted@example.in");
  oldEvent(otherOrder, "other@example.in");
  await till.tell("payment.captured", aboutPayment(payment));
  const before = everythingOf(otherId);
  expect(till.delete(id)).toMatchObject({ ok: true });
  expect(eventBody(orderId)).not.toContain("deleted@example.in");
  expect(JSON.parse(eventBody(orderId)).payload.payment.entity).toMatchObject({
    order_id: orderId,
  });
  expect(everythingOf(otherId)).toEqual(before);
  expect(everythingOf(id)).toMatchObject({ appointment: [], time: [], messages: [] });
  // The ledger and the money's rows stay.
  expect(till.rows("SELECT 1 FROM document WHERE appointment_id = ?", id)).toHaveLength(1);
  expect(till.rows("SELECT 1 FROM payment WHERE payment_id = ?", payment.id)).toHaveLength(1);
});

it("a cancelled or moved booking leaves the others as they are", async () => {
  const { id: other } = await till.bookAndPay();
  const held = till.book();
  const { id } = await till.bookAndPay();
  const { id: second } = await till.bookAndPay();
  const before = [everythingOf(other), everythingOf(held)];
  const { date } = till.booking(id);
  till.move(id, { date, timeSlot: "16:00" });
  till.cancel(second);
  expect([everythingOf(other), everythingOf(held)]).toEqual(before);
  expect(timeOf(second)).toEqual([]);
});

it("a moved session that is paid keeps its new time, long after any hold would have ended", async () => {
  const { id } = await till.bookAndPay();
  const { date } = till.booking(id);
  const moved = { date: addDays(date, 1), timeSlot: "15:00" };
  expect(rescheduleAppointment(till.deps, CUSTOMER, id, moved)).toMatchObject({ ok: true });
  const { startsAt } = till.booking(id);
  expect(timeOf(id)).toEqual([{ starts_at: startsAt, held_until: null }]);
  till.clock.now += DAY;
  expect(() => till.book(moved)).toThrow("just taken");
  // The time before is free again.
  expect(till.book({ date, timeSlot: "10:00" })).toBeTruthy();
});
