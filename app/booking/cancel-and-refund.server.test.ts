import { expect, it } from "vitest";
import { refusePart } from "./cancel-and-refund.server.ts";

it.each([
  [100, 100, null],
  [100, 200, null],
  [99, 1_000, "Please enter at least ₹1"],
  [1_001, 1_000, "Please enter at most ₹10: that is what is kept"],
  [999, 1_000, "Please leave nothing, or at least ₹1: ₹10 is kept"],
  [100, 0, "Nothing is kept of this booking any more"],
])("%i paise of %i kept: %j", (amount, kept, says) => {
  const errors = says === null ? null : { amount: [says] };
  expect(refusePart(amount, kept)?.errors ?? null).toEqual(errors);
});
