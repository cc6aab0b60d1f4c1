/** The team's calls and pages, and what staff see of the others. */
import { describe, expect, it } from "vitest";
import { newId } from "#app/model/ids.ts";
import { type AdminApi, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { staffOf } from "#tests/support/staff.ts";

const PASSWORD = "long-final-approach-42";
const app = sharedApp();
const owner = sharedAdmin(app);

/** The mailed link to the address that opens: one voided soon enough is not mailed at all. */
const linkTo = (email: string) =>
  eventually(async () => {
    for (const { text } of app.sandbox.mailbox.list({ to: email })) {
      const link = /\/admin\/invitation\/[\w-]{43}/.exec(text ?? "")?.[0];
      if (link && (await app.api(link)).status === 200) return link;
    }
    throw new Error("no invitation yet");
  });

const person = () => {
  const username = `p${newId(8)}`;
  return { username, email: `${username}@captains.example` };
};

const see = async (path: string, by: AdminApi = owner) => {
  const answer = await by.page(path);
  // Without the data for the scripts.
  return { ...answer, html: answer.text.replace(/<script\b.*?<\/script>|<!-- -->/gs, "") };
};

it("calls invite, change, withdraw and invite anew, and answer the account without its link", async () => {
  const { username, email } = person();
  const invited = { username, email, role: "captain", counselor: ASHA };
  const made = await owner("/team", { json: invited });
  const account = { ...invited, active: true, invited: true };
  expect([made.status, made.data]).toEqual([201, { account }]);
  const first = await linkTo(email);
  const change = (json: object) => owner(`/team/${username}`, { method: "PATCH", json });
  const staff = await change({ role: "staff" });
  expect(staff.data).toEqual({ account: { ...account, role: "staff", counselor: null } });
  const away = await change({ active: false });
  expect(away.data.account).toMatchObject({ active: false, invited: false });
  const again = await owner(`/team/${username}/invitation`, { method: "POST" });
  expect([again.status, again.data.account.invited]).toEqual([200, true]);
  const fresh = await linkTo(email);
  const list = await owner("/team");
  expect(list.data.accounts[0]).toMatchObject({ username: "admin", role: "owner", active: true });
  const logs = await owner("/activity-logs?pageSize=200");
  expect(logs.data.logs[0]).toMatchObject({ actor: "admin", role: "owner", action: "team_invite" });
  for (const { text } of [made, staff, away, again, list, logs]) {
    for (const link of [first, fresh]) expect(text).not.toContain(link.split("/").at(-1));
    expect(text).not.toMatch(/invitation\//);
  }
});

it("the invitation's page sets nothing weak or mistyped, and is gone once used", async () => {
  const { username, email } = person();
  await owner("/team", { json: { username, email, role: "staff" } });
  const link = await linkTo(email);
  for (const [newPassword, confirmPassword, words] of [
    [PASSWORD, "another", "Passwords don&#x27;t match"],
    ["password1234", "password1234", "first that anybody would try"],
  ] as const) {
    const { status, text } = await app.api(link, { form: { newPassword, confirmPassword } });
    expect([status, text.includes(words)]).toEqual([400, true]);
    expect(text).not.toContain(`value="${newPassword}"`);
  }
  const opened = await app.api(link);
  expect(opened.text).toContain(username);
  expect(opened.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(opened.headers.get("Cache-Control")).toContain("no-store");
  expect(opened.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  expect((await see(link)).text).toContain("admin is signed in");
  const form = { newPassword: PASSWORD, confirmPassword: PASSWORD };
  const set = await app.api(link, { form });
  expect(set.led).toEqual([303, "/admin"]);
  const stranger = await app.api("/admin/invitation/a-guess");
  const used = await app.api(link);
  const again = await app.api(link, { form });
  expect([used.status, stranger.status, again.status]).toEqual([404, 404, 404]);
  for (const { text } of [used, stranger, again]) {
    expect(text).toContain("ask an owner of the business for a new one");
    expect(text).not.toContain(username);
  }
});

it("the page of the team does all of it without scripts", async () => {
  const { username, email } = person();
  const submit = (intent: string, more: Record<string, string> = {}) =>
    owner.page("/admin/team", { form: { intent, username, ...more } });
  const state = async () => {
    const { html } = await see("/admin/team");
    return html.slice(html.indexOf(`>${username}`)).split("</li>")[0]!;
  };
  const done = async (answer: ReturnType<typeof submit>) =>
    expect((await answer).led).toEqual([303, "/admin/team"]);
  await done(submit("invite", { email, role: "staff", counselor: ASHA }));
  expect(await state()).toMatch(/Staff<.*Invited: the link works until/s);
  await app.sandbox.mailbox.waitFor({ to: email });
  await eventually(() => {
    const sent = "UPDATE message SET state = 'failed' WHERE recipient = ? AND state = 'sent'";
    expect(app.db.runRaw(sent, [email])).toBe(1);
  });
  expect(await state()).toContain("The mail could not be sent");
  await done(submit("take"));
  expect(await state()).toMatch(/No access since(?!.*could not be sent)/s);
  await done(submit("again"));
  const changed = await submit("change", { role: "captain", counselor: ASHA });
  const { text } = await owner.after(changed, "/admin/team");
  expect(text).toContain(`It counts for ${username} from now on.`);
  expect(text).not.toContain("The invitation of");
  expect(await state()).toContain(`Captain: ${ASHA}`);
  const form = { newPassword: PASSWORD, confirmPassword: PASSWORD };
  expect((await app.api(await linkTo(email), { form })).status).toBe(303);
  expect(await state()).toContain("Active");
  await done(submit("change", { role: "staff", counselor: ASHA }));
  for (const [answer, status, words] of [
    [await submit("again"), 409, "has its password already"],
    [await submit("take", { username: "admin" }), 409, "last owner who can sign in"],
    [await submit("change", { role: "captain", counselor: "" }), 400, "Please select the captain"],
  ] as const) {
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
  }
});

describe("staff", () => {
  const customerOf = async (id: string) => {
    const { text } = await see(`/admin/appointments/${id}`);
    return /\/admin\/customers\/\w+/.exec(text)![0];
  };

  const OWNERS_WORDS =
    /Export Excel|Delete|Refund without|Catalogue|Documents<\/a|Unmatched|Activity|Team<|Backups|calendars</;

  it("see no more than they may do", async () => {
    const { id } = await bookAndPay(app, { date: dayAhead(9) });
    const staff = await staffOf(app, "looker");
    const pages = {
      list: await see("/admin", staff),
      detail: await see(`/admin/appointments/${id}`, staff),
      account: await see("/admin/account", staff),
      schedule: await see("/admin/schedule/asha", staff),
      customer: await see(await customerOf(id), staff),
    };
    const links = new Set<string>();
    for (const [name, { status, html }] of Object.entries(pages)) {
      expect([name, status]).toEqual([name, 200]);
      expect([name, OWNERS_WORDS.exec(html)?.[0]]).toEqual([name, undefined]);
      for (const [, to = ""] of html.matchAll(/(?:href|action)="(\/admin[^"#?]*)/g)) links.add(to);
    }
    for (const to of links) {
      expect([to, (await see(to, staff)).status === 403]).toEqual([to, false]);
    }
    for (const path of ["/admin", "/admin/account"]) {
      expect((await see(path)).html).toMatch(OWNERS_WORDS);
    }
    // Nor do the scripts of the account page hear of addresses.
    expect(pages.account.text).not.toContain(".ics");
  });

  it("cancel with all the money back, and never with less", async () => {
    const { id } = await bookAndPay(app, { date: dayAhead(11) });
    const staff = await staffOf(app, "canceller");
    const stored = () => app.db.allRaw("SELECT * FROM appointment WHERE id = ?", [id]);
    const before = stored();
    const cancel = (refund: unknown) =>
      staff(`/appointments/${id}/cancel`, { json: { by: "customer", refund } });
    for (const refund of ["none", { amount: 1 }]) {
      expect(await cancel(refund)).toMatchObject({ status: 403, code: "forbidden" });
    }
    const form = { by: "customer", refund: "part", amount: "1" };
    const refused = await staff.page(`/admin/appointments/${id}/cancel`, { form });
    expect([refused.status, refused.text.includes("ask an owner")]).toEqual([403, true]);
    const retry = { form: { refund: newId() } };
    expect((await staff.page(`/admin/appointments/${id}`, retry)).status).toBe(403);
    expect(stored()).toEqual(before);
    const lines = app.db.allRaw<{ words: string }>(
      "SELECT words FROM activity WHERE action = 'forbidden' AND actor = 'canceller'",
    );
    expect(lines.map(({ words }) => words)).toEqual([
      ...Array(3).fill("Not allowed: asked for cancelling with a part or nothing refunded"),
      "Not allowed: asked for trying a refund again",
    ]);
    const done = await cancel("full");
    expect([done.status, done.data.appointment.status]).toEqual([200, "cancelled"]);
  });

  it("read the catalogue without the captains' addresses and links", async () => {
    const whole = (await owner("/catalogue")).data;
    expect(whole.counselors[0]).toMatchObject({ email: expect.stringContaining("@"), meeting: {} });
    for (const api of [await staffOf(app, "reader"), await captainOf(app)]) {
      const { data } = await api("/catalogue");
      const less = whole.counselors.map(
        ({ email: _, meeting: __, room: ___, ...rest }: Record<string, unknown>) => rest,
      );
      expect(data).toEqual({ ...whole, counselors: less });
    }
  });
});
