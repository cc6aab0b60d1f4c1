import { expect, it } from "vitest";
import { MINUTE } from "./dates.ts";
import { isUnderWay } from "./under-way.ts";

const NOW = Date.UTC(2026, 10, 20);

it.each([
  ["created", 12],
  ["authorized", 30],
  ["unknown", 30],
  ["captured", 0],
  ["refunded", 0],
  ["failed", 0],
])("a payment that is %s is under way for %i minutes", (status, minutes) => {
  expect(isUnderWay(status, NOW - minutes * MINUTE, NOW)).toBe(false);
  expect(isUnderWay(status, NOW - minutes * MINUTE + 1, NOW)).toBe(minutes > 0);
});
