import { expect, it } from "vitest";
import { counselorKey } from "./change-catalogue.server.ts";

it.each([
  ["Capt. Asha Sample", [], "capt-asha-sample"],
  ["  Zoë—Müller! ", [], "zoe-muller"],
  ["कप्तान", [], "captain"],
  ["कप्तान", ["captain", "captain-2"], "captain-3"],
  ["A".repeat(99), [], "a".repeat(40)],
  [`${"a".repeat(39)} bc`, [], "a".repeat(39)],
])("%j beside %j has the key %s", (name, taken, key) => {
  expect(counselorKey(name, taken)).toBe(key);
});
