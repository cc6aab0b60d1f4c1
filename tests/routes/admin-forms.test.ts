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

it("a correction that another admin overtook keeps what was typed, and shows what is saved", async () => {
  const { id } = await book(app, { date: dayAhead(9), timeSlot: "14:00" });
  const path = `/admin/appointments/${id}/edit`;
  /** The fields as the page was filled, and what it sends to say so. */
  const filled = (html: string) => {
    const shown = /name="shown" value="([^"]*)"/.exec(html)![1]!.replaceAll("&quot;", '"');
    return { ...(JSON.parse(shown) as Record<string, string>), shown };
  };
  const form = { ...filled((await admin.page(path)).text), email: "right@example.in" };
  const other = { name: "Kavya of the Other", email: "other@example.in" };
  await admin(`/appointments/${id}`, { method: "PATCH", json: other });
  const stale = await post(path, form);
  expect(stale.status).toBe(409);
  expect(stale.text.replaceAll("<!-- -->", "")).toContain(`Saved at present: ${other.email}`);
  expect(stale.control("email")).toContain(form.email);
  expect(stale.control("name")).toContain(other.name);
  expect((await post(path, { ...filled(stale.text), email: form.email })).status).toBe(303);
  const { data } = await admin(`/appointments/${id}`);
  expect(data.appointment).toMatchObject({ name: other.name, email: form.email });
});
