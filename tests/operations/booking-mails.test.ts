/** What a change of a booking, or a lost link, makes a mail say, and when it goes out. */
import { expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const till = freshTill();

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

it("the mail with one's links goes out at once, and the mailer rests while there is none", () => {
  const email = "kavya@example.in";
  till.book({ email });
  const before = till.wakes();
  void mailBookingLinks(till.deps, { email: "nobody@example.in" }, "192.0.2.1");
  expect(till.wakes()).toBe(before);
  void mailBookingLinks(till.deps, { email }, "192.0.2.1");
  expect(till.wakes()).toBe(before + 1);
});

it("a captain who gives a session away reads nothing of the new captain's", async () => {
  till.deps.db.runRaw("UPDATE counselor SET meeting_url = 'https://meet.example/' || key");
  const { id } = await till.bookAndPay();
  const { date, timeSlot } = till.booking(id);
  const time = { date, timeSlot, counselor: ROHAN };
  expect(till.move(id, time).ok).toBe(true);
  const mailOf = async (kind: string) => {
    const messages = till.messages(id);
    const composed = await till.compose(messages.findLast((one) => one.kind === kind)!,
    );
    return JSON.stringify(composed).replaceAll("\\r\\n ", "");
  };
  const left = await mailOf("counselor_cancelled");
  expect(left).toContain("METHOD:CANCEL");
  expect(left).toContain("https://meet.example/asha");
  expect(left).not.toContain("https://meet.example/rohan");
  expect(await mailOf("counselor_new")).toContain("https://meet.example/rohan");
});

it("what is sent to a captain again goes to the one who has the session now", async () => {
  till.deps.db.runRaw("UPDATE counselor SET email = key || '@example.in'");
  const { id } = await till.bookAndPay();
  const { date, timeSlot } = till.booking(id);
  till.move(id, { date, timeSlot, counselor: ROHAN });
  const toCaptains = () => {
    const messages = till.messages(id);
    return messages.filter(({ audience }) => audience === "counselor");
  };
  const sent = () => toCaptains().map(({ kind, recipient }) => `${kind} ${recipient}`);
  expect(sent().sort()).toEqual([
    "counselor_cancelled asha@example.in",
    "counselor_new asha@example.in",
    "counselor_new rohan@example.in",
  ]);
  for (const message of toCaptains()) {
    expect(resendMessage(till.deps, ADMIN_ACTOR, message.id).ok).toBe(true);
  }
  expect(sent().sort()).toEqual([
    "counselor_cancelled asha@example.in",
    "counselor_new rohan@example.in",
    "counselor_new rohan@example.in",
  ]);
});
