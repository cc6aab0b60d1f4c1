import { describe, expect, it } from "vitest";
import { HOUR } from "#app/model/dates.ts";
import { REMINDER_RULE, remindersAhead } from "./reminder-plan.ts";

const startsAt = 1_000 * HOUR;

describe("remindersAhead", () => {
  it.each([
    [27, "A day and an hour before the start."],
    [26.9, "An hour before the start."],
    [2, "An hour before the start."],
    [1.9, null],
  ])("booked %s hours ahead: %s", (hours, words) => {
    const now = startsAt - hours * HOUR;
    expect(remindersAhead(startsAt, now, now)).toBe(words);
  });

  it("promises none again that has gone out", () => {
    const days = startsAt - 72 * HOUR;
    expect(remindersAhead(startsAt, days, startsAt - 24 * HOUR)).toBe("An hour before the start.");
    expect(remindersAhead(startsAt, days, startsAt - HOUR)).toBeNull();
  });
});

it("names the same hours to visitors", () =>
  expect(REMINDER_RULE).toBe(
    "a day before the start if you book at least 27 hours ahead, and an hour before the start if you book at least 2 hours ahead",
  ));
