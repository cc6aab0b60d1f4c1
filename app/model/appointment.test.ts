import { describe, expect, it } from "vitest";
import {
  changeTerms,
  hoursWords,
  isLive,
  mayRenew,
  payTimeWords,
  untilWords,
  wasPaid,
} from "./appointment.ts";
import { HOUR, instantOf } from "./dates.ts";
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

const startsAt = instantOf("2026-11-25", "16:00");
const termsAt = (now: number, more = {}) =>
  changeTerms({ startsAt, now, cutoffHours: 24, ...more });

describe("changeTerms", () => {
  it("names the moment until which it can be changed", () =>
    expect(termsAt(startsAt - 24 * HOUR - 1)).toBe(
      "Free to move or cancel until Tue, 24 Nov, 4:00 PM IST.",
    ));

  it("names no moment that has passed", () => {
    expect(termsAt(startsAt - 24 * HOUR)).toBe(
      "This session begins in less than 24 hours: it cannot be moved or refunded online.",
    );
    expect(termsAt(startsAt - HOUR / 2, { cutoffHours: 1 })).toMatch(/in less than 1 hour:/);
    expect(termsAt(startsAt, { cutoffHours: 0 })).toMatch(/^This session has begun: it cannot/);
  });

  it("promises no full refund where part of the money went back before", () =>
    expect(termsAt(0, { cancelOffer: "cancel it and get the other ₹500 back" })).toBe(
      "You can move the session, or cancel it and get the other ₹500 back, until Tue, 24 Nov, 4:00 PM IST.",
    ));
});

it("hours are one, more or none", () => {
  expect([1, 24].map(hoursWords)).toEqual(["1 hour", "24 hours"]);
  expect([0, 1, 24].map((hours) => untilWords(hours))).toEqual([
    "the start",
    "1 hour before the start",
    "24 hours before the start",
  ]);
  expect([0, 2].map((hours) => untilWords(hours, "it starts"))).toEqual([
    "it starts",
    "2 hours before it starts",
  ]);
});

it.each([
  [900, "15 minutes"],
  [119, "1 minute"],
  [100, "1 minute"],
  [60, "1 minute"],
  [45, "45 seconds"],
  [1, "1 second"],
])("a time to pay of %i seconds is called %s, never longer than it is", (seconds, words) => {
  expect(payTimeWords(seconds)).toBe(words);
});
