/** A form whose session had ended goes through the sign-in without scripts, and is back as it was typed. */
import { beforeAll, expect, it } from "vitest";
import { readable } from "#tests/helpers/api-client.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { addAccount, bookAndPay, PASSWORD, sessionCookie } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
let id: string;
beforeAll(async () => {
  await addAccount(app.db);
  ({ id } = await bookAndPay(app, { date: dayAhead(30) }));
});

type Fields = Record<string, string | string[]>;
const post = (path: string, fields: Fields, cookie = "") => {
  const pairs = Object.entries(fields).map(([name, value]) =>
    [value].flat().map((one) => [name, one]),
  );
  return app.api(path, { form: pairs.flat(), headers: { Cookie: cookie } });
};
const unsentIn = (html: string) => readable(/name="unsent" value="([^"]*)"/.exec(html)?.[1]);

/** As a browser without scripts: the form, the sign-in with it, and where that leads. */
async function sentOut(
  path: string,
  fields: Fields,
  who: { username: string; password: string } = ADMIN,
) {
  const sent = { account: ADMIN.username, ...fields };
  const out = await post(path, sent);
  const next = `/admin?${new URLSearchParams({ next: path })}`;
  expect(out.led).toEqual([307, next]);
  const card = await post(next, sent);
  expect([card.status, card.text.includes("Not Sent Yet")]).toEqual([401, true]);
  const { username, password } = who;
  const unsent = unsentIn(card.text);
  const wrong = await post(next, { username, password: "wrong", next: path, unsent });
  expect([wrong.status, unsentIn(wrong.text)]).toEqual([401, unsent]);
  const signIn = { username, password, next: path, unsent };
  const entered = await post(next, signIn);
  return { entered, cookie: entered.cookie, signIn, card };
}

async function backIn(path: string, fields: Fields) {
  const { entered, cookie, signIn } = await sentOut(path, fields);
  expect(entered.led).toEqual([307, path]);
  const back = await post(path, signIn, cookie);
  expect([back.status, back.text.includes("Nothing of it is done yet")]).toEqual([200, true]);
  return back.text;
}

const isTicked = (html: string, name: string, value: string) =>
  new RegExp(
    `<input[^>]*name="${name}"[^>]*checked=""[^>]*value="${value}"|<input[^>]*name="${name}"[^>]*value="${value}"[^>]*checked=""`,
  ).test(html);
const chosen = (html: string, name: string) =>
  /<option value="([^"]*)" selected/.exec(
    new RegExp(`<select[^>]*name="${name}".*?</select>`, "s").exec(html)?.[0] ?? "",
  )?.[1];

it("brings back texts, choices and ticks of every kind of form, and does nothing", async () => {
  const booking = await backIn("/admin/appointments/new", {
    name: "Ira & Co",
    email: "ira@example.in",
    counselor: ROHAN,
    package: "45",
    payBy: "offline",
    method: "cash",
    noticeRead: "on",
    staffNote: "Two\nlines",
    state: "27",
    who: "other",
    intent: "book",
    date: dayAhead(12),
    timeSlot: "11:00",
  });
  expect(booking).toContain('value="Ira &amp; Co"');
  expect([chosen(booking, "method"), chosen(booking, "state")]).toEqual(["cash", "27"]);
  for (const [name, value] of [
    ["counselor", ROHAN],
    ["package", "45"],
    ["payBy", "offline"],
    ["timeSlot", "11:00"],
  ] as const) {
    expect([name, isTicked(booking, name, value)]).toEqual([name, true]);
  }
  const slots = await backIn("/admin/slots", {
    tab: "block",
    action: "block",
    counselor: ROHAN,
    date: dayAhead(12),
    reason: "Simulator",
    until: dayAhead(20),
    timeSlotsToBlock: ["09:00", "10:30"],
    weekday: ["1", "6"],
  });
  for (const time of ["09:00", "10:30"]) {
    expect(isTicked(slots, "timeSlotsToBlock", time)).toBe(true);
  }
  expect(slots).toContain('value="Simulator"');
  expect(slots).toContain(`value="${dayAhead(20)}"`);
  const days = ["0", "1", "2", "6"].filter((day) => isTicked(slots, "weekday", day));
  expect(days).toEqual(["1", "6"]);
  const leave = await backIn("/admin/schedule/rohan", {
    intent: "leave-add",
    from: dayAhead(40),
    to: dayAhead(41),
    forAll: "on",
  });
  expect(/name="forAll"[^>]*checked|checked[^>]*name="forAll"/.test(leave)).toBe(true);
  const hours = await backIn("/admin/schedule/rohan", {
    intent: "save",
    as: "single",
    bufferMinutes: "15",
    version: "0",
    mon: ["09:00", "12:30"],
  });
  expect([isTicked(hours, "as", "single"), isTicked(hours, "mon", "12:30")]).toEqual([true, true]);
  const questions = await backIn("/admin/catalogue/packages/30/questions", {
    version: "1",
    labelA: "Which?",
    kindA: "choice",
    choicesA: "a\nb",
    requiredA: "on",
  });
  expect(chosen(questions, "kindA")).toBe("choice");
  expect(questions).toContain("Which?");
  const { data } = await admin("/appointments");
  expect(data.appointments).toHaveLength(1);
});

it("never shows a password, and another account gets neither text nor form", async () => {
  const secret = { currentPassword: "hidden-one", newPassword: "hidden-two" };
  const { card } = await sentOut("/admin/account", { intent: "password", ...secret });
  expect(card.text).not.toMatch(/hidden-(one|two)/);
  const other = { ...ADMIN, username: "asha", password: PASSWORD };
  const { entered, cookie, signIn } = await sentOut(
    `/admin/appointments/${id}/edit`,
    { staffNote: "Private" },
    other,
  );
  expect(entered.led).toEqual([303, `/admin/appointments/${id}/edit`]);
  // Nor by hand.
  const forced = await post(`/admin/appointments/${id}/edit`, signIn, cookie);
  expect([forced.status, forced.text.includes("Private")]).toEqual([303, false]);
});

it("a form of one account is not submitted by another that signed in beside it, nor is a click", async () => {
  const back = `/admin/appointments/${id}`;
  const cookie = sessionCookie(admin.token);
  const clicks = [
    ...[`${back}/help`, `${back}/help/customer`, `${back}/attendance`, `${back}/keep`],
    ...["/admin/first-steps", "/admin/failures", "/admin/documents"],
  ];
  const click = { back, confirm: "prices", until: "1", version: "1" };
  for (const [path, fields, to] of [
    [`${back}/edit`, { staffNote: "Private" } as Fields, `${back}/edit`],
    ...clicks.map((path): [string, Fields, string] => [path, click, back]),
  ] as const) {
    const answer = await post(path, { account: "asha", ...fields }, cookie);
    expect([path, answer.led]).toEqual([path, [303, to]]);
    const { html } = await admin.after(answer, to);
    expect(html).toContain("Nothing Was Done");
    expect(html).toContain("Another account is signed in here by now");
    expect(html).not.toContain("Private");
  }
});

it.each([
  "/admin",
  "/admin/account",
  "/admin/catalogue",
  "/admin/catalogue/captains/asha",
  "/admin/customers/:customer/erase",
  "/admin/schedule/asha",
  "/admin/settings",
  "/admin/team",
])("every form of %s says on whose page it is", async (pattern) => {
  const { data } = await admin("/customers");
  const { text: html } = await admin.page(pattern.replace(":customer", data.customers[0].id));
  const forms = html.slice(html.indexOf("<main")).split("<form").slice(1);
  const posted = forms.filter((one) => /^[^>]*method="post"/.test(one));
  const withoutFiles = posted.filter((one) => !one.includes("multipart/form-data"));
  expect(withoutFiles).not.toEqual([]);
  for (const form of withoutFiles) {
    expect(form.split("</form>")[0]).toContain(`name="account" value="${ADMIN.username}"`);
  }
});

it("the role is read again: who is no longer allowed gets nothing back", async () => {
  const path = `/admin/appointments/${id}/edit`;
  const asha = { ...ADMIN, username: "asha", password: PASSWORD };
  const fields = { account: "asha", staffNote: "Private" };
  const { entered, cookie, signIn } = await sentOut(path, fields, asha);
  expect(entered.status).toBe(307);
  app.db.runRaw("UPDATE admin SET role = 'captain', counselor_key = 'asha' WHERE id = 'asha'");
  const back = await post(path, signIn, cookie);
  expect([back.status, back.text.includes("Private")]).toEqual([403, false]);
});

it("leads a click back to where it was made, and says that nothing was done", async () => {
  const back = `/admin/appointments/${id}`;
  for (const path of [`${back}/help`, `${back}/help/customer`, `${back}/attendance`]) {
    const clicked = { back, version: "1", attendance: "completed", anchor: "attendance-x" };
    const { cookie, signIn } = await sentOut(path, clicked);
    const answer = await post(path, signIn, cookie);
    expect(answer.led).toEqual([303, back]);
    const headers = { Cookie: `${cookie}; ${answer.cookie}` };
    const { html } = await app.api(back, { headers });
    expect(html).toContain("Not Sent Yet");
  }
  expect(app.db.firstRaw("SELECT attendance FROM appointment WHERE id = ?", [id])).toEqual({
    attendance: null,
  });
  expect(app.db.firstRaw("SELECT 1 FROM help_call")).toBeUndefined();
});

it("a form without an account, or too long for the sign-in, is not promised back", async () => {
  const keep = await post(`/admin/appointments/${id}/keep`, { version: "1" });
  expect(keep.led).toEqual([302, "/admin"]);
  const long = await post("/admin?next=/admin/settings", {
    account: "a",
    faq: "\u0928".repeat(28_000),
  });
  expect([long.status, unsentIn(long.text)]).toEqual([401, ""]);
  expect(long.text).toContain("too long to be kept");
});

it("carries no name that a form of ours could not have, on a page that is open or not", async () => {
  const cookie = sessionCookie(admin.token);
  const fieldsOf = (name: string) => [
    [name, ""],
    ["twice", "1"],
  ];
  const names = ["a[4294967294]", "__proto__", "__intent__", "a.b", "twice"];
  for (const unsent of [...names.map((name) => JSON.stringify(fieldsOf(name))), "["]) {
    for (const path of ["/admin/reset-password", `/admin/appointments/${id}/delete`]) {
      const answer = await post(path, { unsent }, cookie);
      expect([unsent, path, answer.status]).toEqual([unsent, path, 303]);
    }
  }
  expect(app.db.firstRaw("SELECT 1 FROM appointment WHERE id = ?", [id])).toBeTruthy();
});
