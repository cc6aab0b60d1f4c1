import { expect, it } from "vitest";
import { firstName, takesPlan } from "./after-session.ts";
import type { AppointmentStatus } from "./statuses.ts";

it.each([
  ["R. Mehta", "R."],
  ["Dr. Meera Nair", "Meera"],
  ["Smt Lakshmi Devi", "Lakshmi"],
  ["Dr. K", "K"],
  ["Dr.", "Dr."],
])("the first name of %s is %s", (name, first) => {
  expect(firstName(name)).toBe(first);
});

it("a plan is written once a paid session is over", () => {
  const takes = (status: AppointmentStatus, now: number) => takesPlan({ status, endsAt: 10 }, now);
  expect([takes("confirmed", 9), takes("confirmed", 10), takes("rescheduled", 10)]).toEqual([
    ...[false, true, true],
  ]);
  expect([takes("pending_payment", 10), takes("cancelled", 10)]).toEqual([false, false]);
});
