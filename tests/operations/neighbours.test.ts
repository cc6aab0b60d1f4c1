/** What is done to one booking is done to no other: each with a second one beside it. */
import { expect, it } from "vitest";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { addDays } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import { freshTill } from "#tests/support/hooks.ts";

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
