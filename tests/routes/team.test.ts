/** The team's calls and pages, and what staff see of the others. */
import { describe, expect, it } from "vitest";
import { maskPath } from "#app/http/request-log.server.ts";
import { newId } from "#app/model/ids.ts";
import {
  addAccount,
  bookAndPay,
  callsAs,
  PASSWORD as QUICK,
  sessionCookie,
  signIn,
} from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const PASSWORD = "long-final-approach-42";
const app = sharedApp();
const owner = sharedAdmin(app);

/** The mailed link to the address that opens: one voided soon enough is not mailed at all. */
const linkTo = (email: string) =>
  eventually(async () => {
    for (const { text } of app.sandbox.mailbox.list({ to: email })) {
      const link = /\/admin\/invitation\/[\w-]{43}/.exec(text ?? "")?.[0];
      if (link && (await app.api(link)).httpStatus === 200) return link;
    }
    throw new Error("no invitation yet");
  });

const person = () => {
  const username = `p${newId(8)}`;
  return { username, email: `${username}@captains.example` };
};

const post = (path: string, form: Record<string, string>, token?: string) =>
  app.api(path, { form, headers: token ? { Cookie: sessionCookie(token) } : {} });
const see = async (path: string, token: string) => {
  const answer = await app.api(path, { headers: { Cookie: sessionCookie(token) } });
  // Without the data for the scripts.
  return { ...answer, html: answer.text.replace(/<script\b.*?<\/script>|<!-- -->/gs, "") };
};

async function staffOf(username: string) {
  await addAccount(app.db, { id: username, ...person(), username, role: "staff" });
  return callsAs(app, { username, password: QUICK });
}

describe("the calls", () => {
  it("invite, change, withdraw and invite anew, and answer the account without its link", async () => {
    const { username, email } = person();
    const made = await owner("/team", {
      json: { username, email, role: "captain", counselor: ASHA },
    });
    const rights = { role: "captain", counselor: ASHA, active: true, invited: true };
    const account = { username, email, ...rights };
    expect([made.httpStatus, made.data]).toEqual([201, { account }]);
    const link = await linkTo(email);
    const token = link.split("/").at(-1)!;
    const staff = await owner(`/team/${username}`, { method: "PATCH", json: { role: "staff" } });
    expect(staff.data).toEqual({ account: { ...account, role: "staff", counselor: null } });
    const away = await owner(`/team/${username}`, { method: "PATCH", json: { active: false } });
    expect(away.data.account).toMatchObject({ active: false, invited: false });
    expect((await app.api(link)).httpStatus).toBe(404);
    const again = await owner(`/team/${username}/invitation`, { method: "POST" });
    expect([again.httpStatus, again.data.account.invited]).toEqual([200, true]);
    const fresh = await linkTo(email);
    expect((await app.api(fresh)).httpStatus).toBe(200);
    const { data } = await owner("/team");
    expect(data.accounts[0]).toMatchObject({ username: "admin", role: "owner", active: true });
    const logs = await owner("/activity-logs?pageSize=200");
    expect(logs.data.logs[0]).toMatchObject({
      actor: "admin",
      role: "owner",
      action: "team_invite",
    });
    for (const answer of [made, staff, away, again, logs, await owner("/team")]) {
      expect(answer.text).not.toContain(token);
      expect(answer.text).not.toContain(fresh.split("/").at(-1));
      expect(answer.text).not.toMatch(/invitation\//);
    }
  });
});

describe("the invitation's page", () => {
  it("keeps what is weak or mistyped from being set, and is gone once used", async () => {
    const { username, email } = person();
    await owner("/team", { json: { username, email, role: "staff" } });
    const link = await linkTo(email);
    for (const [newPassword, confirmPassword, words] of [
      [PASSWORD, "another", "Passwords don&#x27;t match"],
      ["password1234", "password1234", "first that anybody would try"],
    ] as const) {
      const { httpStatus, text } = await post(link, { newPassword, confirmPassword });
      expect([httpStatus, text.includes(words)]).toEqual([400, true]);
      expect(text).not.toContain(`value="${newPassword}"`);
    }
    const opened = await app.api(link);
    expect(opened.text).toContain(username);
    expect(opened.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(opened.headers.get("Cache-Control")).toContain("no-store");
    expect(opened.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    expect((await see(link, owner.token)).text).toContain("admin is signed in");
    const set = await post(link, { newPassword: PASSWORD, confirmPassword: PASSWORD });
    expect(set.led).toEqual([303, "/admin"]);
    const { data } = await signIn(app, { username, password: PASSWORD });
    expect(data.admin).toEqual({ username, role: "staff" });
    const stranger = await app.api("/admin/invitation/a-guess");
    const used = await app.api(link);
    const again = await post(link, { newPassword: PASSWORD, confirmPassword: PASSWORD });
    expect([used.httpStatus, stranger.httpStatus, again.httpStatus]).toEqual([404, 404, 404]);
    for (const { text } of [used, stranger, again]) {
      expect(text).toContain("ask an owner of the business for a new one");
      expect(text).not.toContain(username);
    }
    const words = new Set(["", "admin", "invitation"]);
    expect(maskPath(`${link}.data?x`, words)).toBe("/admin/invitation/:id");
  });
});

describe("the page of the team", () => {
  it("does all of it without scripts", async () => {
    const { username, email } = person();
    const submit = (intent: string, more: Record<string, string> = {}) =>
      post("/admin/team", { intent, username, ...more }, owner.token);
    const state = async () => {
      const { html } = await see("/admin/team", owner.token);
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
    const [notice] = changed.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    const headers = { Cookie: `${sessionCookie(owner.token)}; ${notice}` };
    const { text } = await app.api("/admin/team", { headers });
    expect(text).toContain(`It counts for ${username} from now on.`);
    expect(text).not.toContain("The invitation of");
    expect(await state()).toContain(`Captain: ${ASHA}`);
    const passwords = { newPassword: PASSWORD, confirmPassword: PASSWORD };
    expect((await post(await linkTo(email), passwords)).httpStatus).toBe(303);
    expect(await state()).toContain("Active");
    const refused = async (answer: ReturnType<typeof submit>, status: number, words: string) => {
      const { httpStatus, text } = await answer;
      expect([httpStatus, text]).toEqual([status, expect.stringContaining(words)]);
    };
    await refused(submit("again"), 409, "has its password already");
    await refused(submit("take", { username: "admin" }), 409, "last owner who can sign in");
    await done(submit("change", { role: "staff", counselor: ASHA }));
    const nobody = submit("change", { role: "captain", counselor: "" });
    await refused(nobody, 400, "Please select the captain");
  });
});

describe("staff", () => {
  const customerOf = async (id: string) => {
    const { text } = await see(`/admin/appointments/${id}`, owner.token);
    return /\/admin\/customers\/\w+/.exec(text)![0];
  };

  it("see no more than they may do", async () => {
    const { id } = await bookAndPay(app, { date: dayAhead(9) });
    const staff = await staffOf("looker");
    const pages = {
      list: await see("/admin", staff.token),
      detail: await see(`/admin/appointments/${id}`, staff.token),
      account: await see("/admin/account", staff.token),
      schedule: await see("/admin/schedule/asha", staff.token),
      customer: await see(await customerOf(id), staff.token),
    };
    for (const [name, { httpStatus, html }] of Object.entries(pages)) {
      expect([name, httpStatus]).toEqual([name, 200]);
      const links = [...html.matchAll(/(?:href|action)="(\/[^"#?]*)/g)].map(([, to = ""]) => to);
      for (const to of new Set(links.filter((one) => one.startsWith("/admin")))) {
        const answer = await see(to, staff.token);
        expect([name, to, answer.httpStatus === 403]).toEqual([name, to, false]);
      }
      const words =
        /Export Excel|Delete|Refund without|Catalogue|Documents<\/a|Unmatched|Activity|Team<|Backups|calendars</;
      expect([name, words.exec(html)?.[0]]).toEqual([name, undefined]);
      const whole = (await see(name === "list" ? "/admin" : "/admin/account", owner.token)).html;
      expect(whole).toMatch(words);
    }
    // Nor do the scripts of the account page hear of addresses.
    expect(pages.account.text).not.toContain(".ics");
  });

  it("cancel with all the money back, and never with less", async () => {
    const { id } = await bookAndPay(app, { date: dayAhead(11) });
    const staff = await staffOf("canceller");
    const stored = () =>
      JSON.stringify(app.db.allRaw("SELECT * FROM appointment WHERE id = ?", [id]));
    const before = stored();
    for (const refund of ["none", { amount: 1 }]) {
      const json = { by: "customer", refund };
      const answer = await staff(`/appointments/${id}/cancel`, { json });
      expect([answer.httpStatus, answer.code]).toEqual([403, "forbidden"]);
    }
    for (const [refund, amount] of [
      ["none", ""],
      ["part", "1"],
    ] as const) {
      const fields = { by: "customer", refund, amount };
      const answer = await post(`/admin/appointments/${id}/cancel`, fields, staff.token);
      expect([answer.httpStatus, answer.text.includes("ask an owner")]).toEqual([403, true]);
    }
    const retried = await post(`/admin/appointments/${id}`, { refund: newId() }, staff.token);
    expect(retried.httpStatus).toBe(403);
    expect(stored()).toBe(before);
    const lines = app.db.allRaw<{ words: string }>(
      "SELECT words FROM activity WHERE action = 'forbidden' AND actor = ?",
      ["canceller"],
    );
    expect(lines.map(({ words }) => words)).toEqual([
      ...Array(4).fill("Not allowed: asked for cancelling with a part or nothing refunded"),
      "Not allowed: asked for trying a refund again",
    ]);
    const json = { by: "customer", refund: "full" };
    const done = await staff(`/appointments/${id}/cancel`, { json });
    expect([done.httpStatus, done.data.appointment.status]).toEqual([200, "cancelled"]);
  });

  it("read the catalogue without the captains' addresses and links", async () => {
    const whole = (await owner("/catalogue")).data;
    expect(whole.counselors[0]).toMatchObject({ email: /@/, meeting: {} });
    for (const api of [await staffOf("reader"), await captainOf(app)]) {
      const { data } = await api("/catalogue");
      const less = whole.counselors.map(
        ({ email: _, meeting: __, room: ___, ...rest }: Record<string, unknown>) => rest,
      );
      expect(data).toEqual({ ...whole, counselors: less });
    }
  });
});
