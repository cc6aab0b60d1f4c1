import { expect, it } from "vitest";
import { normalisePhone, readablePhone } from "./phone.server.ts";

it.each([
  ["98765 43210", "+919876543210", "+91 98765 43210"],
  ["098765-43210", "+919876543210", "+91 98765 43210"],
  ["+44 20 7946 0958", "+442079460958", "+44 20 7946 0958"],
  ["not a number", "not a number", "not a number"],
])("keeps %s as %s and shows it as %s", (typed, stored, shown) => {
  expect(normalisePhone(typed)).toBe(stored);
  expect(readablePhone(stored)).toBe(shown);
});
