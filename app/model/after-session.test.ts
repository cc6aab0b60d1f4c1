import { expect, it } from "vitest";
import { firstName } from "./after-session.ts";

it.each([
  ["Priya Raghunathan", "Priya"],
  ["S Priya", "Priya"],
  ["K. Ramesh", "Ramesh"],
  ["Dr. Meera Nair", "Meera"],
  ["Smt Lakshmi Devi", "Lakshmi"],
  ["A.P.J. Kalam", "Kalam"],
  ["मीरा राव", "मीरा"],
  ["Dr. K", "Dr."],
])("the first name of %s is %s", (name, first) => {
  expect(firstName(name)).toBe(first);
});
