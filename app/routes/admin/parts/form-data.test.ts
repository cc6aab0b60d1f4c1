/** A form on its way through the sign-in page. */
import { expect, it } from "vitest";
import { parseForm, serializeForm } from "./form-data.ts";

const formOf = (...fields: [string, string][]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
};

it("comes back as it was, each name as often as it was sent", () => {
  const fields: [string, string][] = [
    ["account", "asha"],
    ["timeSlots", "09:00"],
    ["timeSlots", "10:00"],
    ["note", 'Two\r\nlines & "marks" \u0928\u092e'],
  ];
  expect([...parseForm(serializeForm(formOf(...fields)))!]).toEqual(fields);
});

it("leaves out every password, code and calendar address", () => {
  const secrets = ["password", "currentPassword", "newPassword", "confirmPassword"];
  const fields = [...secrets, "totp", "otp", "url"].map((name): [string, string] => [name, "s"]);
  expect([...parseForm(serializeForm(formOf(...fields, ["a", "1"])))!]).toEqual([["a", "1"]]);
});

it("does not go along where the sign-in could not take it", () => {
  expect(serializeForm(formOf(["note", "x".repeat(200_000)]))).toBeDefined();
  expect(serializeForm(formOf(["note", "\u0928".repeat(28_000)]))).toBeUndefined();
});

it("reads nothing that it has not made", () => {
  for (const text of [undefined, null, "", "{", "null", "[1]"]) expect(parseForm(text)).toBeNull();
});
