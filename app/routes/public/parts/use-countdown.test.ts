import { expect, it } from "vitest";
import { timeLeft } from "./use-countdown.ts";

it.each([
  [1, "0:01 left"],
  [754_000, "12:34 left"],
  [3_600_000, "1:00:00 left"],
  [86_399_000, "23:59:59 left"],
])("%i ms are %s", (milliseconds, words) => expect(timeLeft(milliseconds)).toBe(words));
