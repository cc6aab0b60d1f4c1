/** What a change of a booking, or a lost link, makes a mail say, and when it goes out. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { openTill, type Till } from "#tests/support/till.ts";

let till: Till;
beforeEach(async () => {
  till = await openTill();
});
afterEach(() => till.close());

it("whoever cancels is promised money back after a payment, and never without one", async () => {
  const unpaid = till.book();
  const { id: paid } = await till.bookAndPay();
  for (const id of [unpaid, paid]) {
    expect(cancelAppointment(till.deps, { kind: "customer" }, id).ok).toBe(true);
  }
  const promised = (id: string) =>
    till
      .rows("SELECT data FROM message WHERE kind = 'booking_cancelled' AND appointment_id = ?", id)
      .map(({ data }) => JSON.parse(data).refundWanted);
  expect(new Set(promised(unpaid))).toEqual(new Set([false]));
  expect(new Set(promised(paid))).toEqual(new Set([true]));
});

it("the mail with one's links goes out at once, and the mailer rests while there is none", async () => {
  const email = "kavya@example.in";
  till.book({ email });
  const before = till.wakes();
  await mailBookingLinks(till.deps, "nobody@example.in");
  expect(till.wakes()).toBe(before);
  await mailBookingLinks(till.deps, email);
  expect(till.wakes()).toBe(before + 1);
  // A second mail within the minute is none.
  await mailBookingLinks(till.deps, email);
  expect(till.wakes()).toBe(before + 1);
});
