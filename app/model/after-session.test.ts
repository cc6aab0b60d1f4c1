import { expect, it } from "vitest";
import { firstName } from "./after-session.ts";

it.each([
  ["Priya Raghunathan", "Priya"],
  ["R. Mehta", "R."],
  ["Dr. Meera Nair", "Meera"],
  ["Smt Lakshmi Devi", "Lakshmi"],
  ["मीरा राव", "मीरा"],
  ["Dr. K", "K"],
  ["Dr.", "Dr."],
])("the first name of %s is %s", (name, first) => {
  expect(firstName(name)).toBe(first);
});
