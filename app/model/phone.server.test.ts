import { expect, it } from "vitest";
import { normalisePhone, readablePhone } from "./phone.server.ts";

it.each([
  ["98765 43210", "+919876543210", "+91 98765 43210"],
  ["098765-43210", "+919876543210", "+91 98765 43210"],
  ["+44 20 7946 0958", "+442079460958", "+44 20 7946 0958"],
  ["+0 98765 43210", "+919876543210", "+91 98765 43210"],
  // Of no plan that is known.
  ["1234567890", "+911234567890", "+91 1234 567 890"],
  ["+1 234 567 890", "+1234567890", "+1 234567890"],
  ["(0) 98765 43210 1", "+98765432101", "+98 765432101"],
  ["00000 00001", "+910000000001", "+91 000000001"],
  ["not a number", "not a number", "not a number"],
])("keeps %s as %s and shows it as %s", (typed, stored, shown) => {
  expect(normalisePhone(typed)).toBe(stored);
  expect(readablePhone(stored)).toBe(shown);
});
