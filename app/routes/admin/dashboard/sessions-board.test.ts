import fc from "fast-check";
import { expect, it } from "vitest";
import { DAY, instantOf, MINUTE } from "#app/model/dates.ts";
import { timeUntil } from "./sessions-board.tsx";

const startsAt = instantOf("2026-12-01", "10:00");
const session = { startsAt, endsAt: startsAt + 45 * MINUTE };

it.each<[string, number]>([
  ["Next, in 26 hours", -26 * 60 - 0.5 + 1],
  ["Next, in 24 hours", -24 * 60],
  ["Next, in 23 hours 59 min", -24 * 60 + 1],
  ["Next, in 2 hours", -120],
  ["Next, in 1 hour 1 min", -61],
  ["Next, in 1 hour", -59.5],
  ["Next, in 59 minutes", -59],
  ["Next, in 1 minute", -0.01],
  ["Now, until 10:45 AM", 0],
  ["Now, until 10:45 AM", 44.99],
  ["Over", 45],
])("%s: %d minutes after the start", (words, minutes) => {
  expect(timeUntil(session, startsAt + minutes * MINUTE)).toBe(words);
});

it("counts down in steps of a minute, never early", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: DAY - 1 }), (before) => {
      const words = timeUntil(session, startsAt - before);
      const [, hours = "0"] = /(\d+) hour/.exec(words) ?? [];
      const [, minutes = "0"] = /(\d+) min/.exec(words) ?? [];
      const said = (Number(hours) * 60 + Number(minutes)) * MINUTE;
      expect(said - before).toBeGreaterThanOrEqual(0);
      expect(said - before).toBeLessThan(MINUTE);
    }),
  );
});
