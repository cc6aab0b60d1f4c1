import { describe, expect, it } from "vitest";
import { likelyEmail } from "./fields.ts";

describe("likelyEmail", () => {
  it.each([
    ["a@gmial.com", "a@gmail.com"],
    ["a@gmai.com", "a@gmail.com"],
    ["a@gmail.con", "a@gmail.com"],
    ["a@gmail.co", "a@gmail.com"],
    ["a@gmaill.com", "a@gmail.com"],
    ["a@yaho.com", "a@yahoo.com"],
    ["a@hotmial.com", "a@hotmail.com"],
  ])("%s is probably %s", (typed, meant) => expect(likelyEmail(typed)).toBe(meant));

  it.each(["a@gmail.com", "a@yahoo.co.in", "a@example.in", "a@mail.com", "a@", "", "gmial.com"])(
    "leaves %s alone",
    (typed) => expect(likelyEmail(typed)).toBeNull(),
  );
});
