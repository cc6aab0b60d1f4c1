/** What is done to one booking is done to no other: each with a second one beside it. */
import { expect, it } from "vitest";
import { addDays, DAY } from "#app/model/dates.ts";
import { freshTill } from "#tests/support/hooks.ts";

const till = freshTill();

const timeOf = (id: string) =>
  till.rows("SELECT starts_at, held_until FROM session_time WHERE appointment_id = ?", id);

/** Everything that stands in the rows of an appointment. */
const everythingOf = (id: string) => [
  ...till.rows("SELECT * FROM appointment WHERE id = ?", id),
  ...timeOf(id),
  ...["message", "payment_order", "payment", "document"].flatMap((table) =>
    till.rows(`SELECT * FROM ${table} WHERE appointment_id = ?`, id),
  ),
  ...till.rows("SELECT * FROM activity WHERE target = ?", id),
];

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
  till.move(id, moved);
  expect(timeOf(id)).toEqual([{ starts_at: till.booking(id).startsAt, held_until: null }]);
  till.clock.now += DAY;
  expect(() => till.book(moved)).toThrow("just taken");
  // The time before is free again.
  expect(till.book({ date, timeSlot: "10:00" })).toBeTruthy();
});
