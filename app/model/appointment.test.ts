import { describe, expect, it } from "vitest";
import { isLive, mayRenew, wasPaid } from "./appointment.ts";
import type { AppointmentStatus } from "./statuses.ts";

describe("a live appointment", () => {
  const live = (status: AppointmentStatus, holdUntil: number | null) =>
    isLive({ status, window: holdUntil === null ? null : { payBefore: 1, holdUntil } }, 1_000);

  it("is a paid one, whatever became of its hold", () => {
    for (const holdUntil of [null, 999, 1_001]) {
      expect(live("confirmed", holdUntil)).toBe(true);
      expect(live("rescheduled", holdUntil)).toBe(true);
    }
  });

  it("is a pending one within its hold, up to that moment", () => {
    const ends = [1_001, 1_000, 999, null];
    expect(ends.filter((until) => live("pending_payment", until))).toEqual([1_001]);
  });

  it("is never a cancelled one", () => {
    for (const holdUntil of [null, 999, 1_001]) expect(live("cancelled", holdUntil)).toBe(false);
  });
});

it("an ended window is opened anew three times", () => {
  const mayOpen = [0, 1, 2, 3, 4].map((renewals) => mayRenew({ heldByStaff: false, renewals }));
  expect(mayOpen).toEqual([true, true, true, false, false]);
});

it.each<[AppointmentStatus, string | null, boolean]>([
  ["pending_payment", null, false],
  ["confirmed", null, true],
  ["rescheduled", "pay_1", true],
  ["cancelled", null, false],
  ["cancelled", "pay_1", true],
])("%s with payment %s: paid once? %s", (status, paymentId, was) => {
  expect(wasPaid({ status, paymentId })).toBe(was);
});
