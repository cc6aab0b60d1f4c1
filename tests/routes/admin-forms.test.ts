/** What a refused form of the desk brings back where no script runs. */
import { expect, it } from "vitest";
import { ADMIN } from "#tests/helpers/environment.ts";
import { book, sessionCookie } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

async function post(path: string, fields: Record<string, string>, as = sessionCookie(admin.token)) {
  const headers = { Accept: "text/html", Cookie: as };
  const { httpStatus: status, text } = await app.api(path, { form: fields, headers });
  const control = (name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0];
  return { status, text, control };
}

const FOCUS = /autofocus/i;

it("no password comes back, and the wrong one of the pair has the focus", async () => {
  const answer = await post("/admin/account", {
    intent: "password",
    currentPassword: ADMIN.password,
    newPassword: "a calm new evening",
    confirmPassword: "a calm other evening",
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("Passwords don&#x27;t match");
  for (const typed of [ADMIN.password, "a calm new evening", "a calm other evening"]) {
    expect(answer.text).not.toContain(typed);
  }
  expect(answer.control("confirmPassword")).toMatch(FOCUS);
  expect(answer.control("newPassword")).not.toMatch(FOCUS);
});

it("a mismatch is shown beside a current password that is missing", async () => {
  const answer = await post("/admin/account", {
    intent: "password",
    currentPassword: "",
    newPassword: "a calm new evening",
    confirmPassword: "",
  });
  expect(answer.text).toContain("Password is required");
  expect(answer.text).toContain("Passwords don&#x27;t match");
});

it("the name that was typed comes back to the sign-in, the password does not", async () => {
  const typed = { username: "asha of the desk", password: "not this one" };
  const answer = await post("/admin", typed, "");
  expect(answer.status).toBe(401);
  expect(answer.control("username")).toContain("asha of the desk");
  expect(answer.text).not.toContain("not this one");
});

it("a correction comes back as it was typed, with the focus on the first fault", async () => {
  const { id } = await book(app, { date: dayAhead(9) });
  const answer = await post(`/admin/appointments/${id}/edit`, {
    name: "Meera P. Pillai",
    email: "no address",
    phone: "12",
    notes: "",
    version: "1",
  });
  expect(answer.status).toBe(400);
  expect(answer.control("name")).toContain("Meera P. Pillai");
  expect(answer.control("name")).not.toMatch(FOCUS);
  expect(answer.control("email")).toMatch(FOCUS);
});
