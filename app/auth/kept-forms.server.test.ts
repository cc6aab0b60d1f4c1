import { expect, it } from "vitest";
import { MINUTE } from "#app/model/duration.ts";
import { keepForm, takeKeptForm } from "./kept-forms.server.ts";

const device = (id: string, adminId = "a") => ({ id, adminId, proof: "p" });
const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};
const keep = (id: string, fields = { note: "n" }, now = 0) =>
  keepForm(device(id), "/admin/x", formOf(fields), now);
const take = (id: string, adminId = "a", path = "/admin/x", now = 0) =>
  takeKeptForm(device(id, adminId), adminId, path, now);

it("gives a form back once, to the account that typed it, on its own page", () => {
  keep("1");
  expect(take("1", "a", "/admin/y")).toBeNull();
  expect(take("2")).toBeNull();
  expect([...take("1")!]).toEqual([["note", "n"]]);
  expect(take("1")).toBeNull();
  expect(takeKeptForm(null, "a", "/admin/x", 0)).toBeNull();
});

it("is dropped when another account comes first", () => {
  keep("1");
  expect(take("1", "b")).toBeNull();
  expect(take("1")).toBeNull();
});

it("holds no password, code, calendar address or file", () => {
  const form = formOf({
    password: "p",
    currentPassword: "p",
    otp: "1",
    totp: "1",
    url: "u",
    a: "1",
  });
  form.append("file", new File(["x"], "x"));
  keepForm(device("1"), "/admin/x", form, 0);
  expect([...take("1")!]).toEqual([["a", "1"]]);
});

it("ends after half an hour, and a hundred are kept", () => {
  keep("1");
  expect(take("1", "a", "/admin/x", 30 * MINUTE)).toBeNull();
  for (let id = 0; id < 101; id += 1) keep(String(id));
  expect(take("0")).toBeNull();
  expect(take("1")).not.toBeNull();
  expect(take("100")).not.toBeNull();
});
