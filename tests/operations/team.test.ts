/** Who may sign in: invitations, roles, access given and taken away, and what each leaves behind. */
import { beforeEach, describe, expect, it } from "vitest";
import { createAdmin, setPassword } from "#app/auth/manage-admins.server.ts";
import { createSession, findSession, knownDevice } from "#app/auth/session.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";
import {
  acceptInvitation,
  accessOf,
  changeAccount,
  invite,
  inviteAgain,
  readInvitation,
} from "#app/auth/team.server.ts";
import { ensureCounselorFeeds } from "#app/booking/captains.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { Role } from "#app/model/actor.ts";
import { HOUR } from "#app/model/dates.ts";
import { composeMessage } from "#app/notifications/compose.server.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { findAccount, insertCode, listAccounts } from "#db/queries/admins.server.ts";
import { listFeeds } from "#db/queries/catalogue.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { addAccount, PASSWORD } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

const client = { address: "10.0.0.1", device: null };
const actor = { kind: "admin", username: "asha", role: "owner" } as const;
const meera = { username: "meera", email: "meera@captains.example", role: "staff" } as const;
const ASHAS = "Capt. Asha Sample";

const test = freshDeps();
quickPasswords();
beforeEach(async () => {
  await add("asha", "owner");
  ensureCounselorFeeds(test.deps);
});

const add = (username: string, role: Role, counselorKey: string | null = null) =>
  addAccount(test.deps.db, {
    id: username,
    username,
    email: `${username}@captains.example`,
    role,
    counselorKey,
  });

const rows = <T = Record<string, unknown>>(sql: string) => test.deps.db.allRaw<T>(sql);
const account = (username: string) => findAccount(test.deps.db, username)!;
const access = (username: string) => accessOf(account(username));
const logged = () =>
  rows<{ words: string; actor: string; about: string }>(
    "SELECT actor, about, words FROM activity ORDER BY rowid",
  ).map(({ actor, about, words }) => `${actor} on ${about}: ${words}`);
const feedOf = (key: string) =>
  listFeeds(test.deps.db).find(({ counselorKey }) => counselorKey === key)!.secret;
const session = (id: string) => createSession(test.deps, id, { userAgent: null }).token;

/** The link of the newest invitation, as the mail has it. */
async function mailed(): Promise<{ id: string; to: string; text: string; token: string }> {
  const row = rows<{ id: string }>(
    "SELECT id FROM message WHERE kind = 'team_invitation' ORDER BY rowid DESC",
  )[0]!;
  const made = await composeMessage(test.deps, findMessage(test.deps.db, row.id)!);
  if (made.kind !== "mail") throw new Error(JSON.stringify(made));
  const token = /\/admin\/invitation\/(\S+)/.exec(made.mail.text)?.[1] ?? "";
  return { id: row.id, to: made.mail.to.address, text: made.mail.text, token };
}

async function invited(input: Parameters<typeof invite>[2] = meera): Promise<string> {
  expect(invite(test.deps, actor, input)).toMatchObject({ ok: true });
  return (await mailed()).token;
}

const accept = (token: string, newPassword = "long-final-approach-42") =>
  acceptInvitation(test.deps, token, { newPassword }, client);
const enter = (username: string, password: string) =>
  signIn(test.deps, { username, password }, { ...client, userAgent: null });

describe("an invitation", () => {
  it("is mailed, opens an account by one password, and is used up by it alone", async () => {
    const token = await invited();
    expect(test.wakes()).toBe(1);
    expect(access("meera")).toBe("invited");
    expect((await mailed()).to).toBe(meera.email);
    expect(JSON.stringify(rows("SELECT * FROM invitation"))).not.toContain(token);
    expect(rows("SELECT token_hash FROM invitation")).toEqual([{ token_hash: sha256(token) }]);
    for (const opened of [1, 2]) {
      expect([opened, readInvitation(test.deps, token).ok]).toEqual([opened, true]);
    }
    expect(await enter("meera", "")).toMatchObject({ code: "invalid_credentials" });

    const device = await accept(token);
    expect(device).toMatchObject({ ok: true, value: { adminId: account("meera").id } });
    expect(access("meera")).toBe("given");
    expect(await enter("meera", "long-final-approach-42")).toMatchObject({
      value: { admin: { username: "meera", role: "staff" } },
    });
    expect(await accept(token, "another-password-77")).toMatchObject({ code: "not_found" });
    expect(logged()).toEqual([
      "asha on account meera: Invited to the team: email “meera@captains.example”; role staff",
      "meera on : Sign-in failed: address 10.0.0.1",
      "meera on : Invitation used",
      "meera on : Signed in: address 10.0.0.1",
    ]);
    expect(JSON.stringify(rows("SELECT * FROM activity"))).not.toContain(token);
  });

  it("stays good after a weak password, for 72 hours", async () => {
    const token = await invited();
    const newPassword = [expect.stringMatching(/^The password .*Please choose another/)];
    for (const weak of ["eleven-char", "password1234", meera.email]) {
      const refused = { code: "validation_failed", errors: { newPassword } };
      expect(await accept(token, weak)).toMatchObject(refused);
    }
    test.clock.now += 72 * HOUR - 1;
    expect(readInvitation(test.deps, token).ok).toBe(true);
    test.clock.now += 1;
    expect(await accept(token)).toMatchObject({ code: "not_found" });
  });

  it("says the same of what is late, used, withdrawn, replaced or no token at all", async () => {
    const used = await invited();
    await accept(used);
    const replaced = await invited({ ...meera, username: "b", email: "b@captains.example" });
    inviteAgain(test.deps, actor, "b");
    const withdrawn = (await mailed()).token;
    changeAccount(test.deps, actor, "b", { active: false });
    const refusal = readInvitation(test.deps, used);
    expect(refusal).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("ask an owner"),
    });
    for (const token of [replaced, withdrawn, "", "x".repeat(43), "../x"]) {
      expect(readInvitation(test.deps, token)).toEqual(refusal);
    }
  });

  it("is not mailed once it is void, nor sent again as a message", async () => {
    await invited();
    const { id } = await mailed();
    inviteAgain(test.deps, actor, "meera");
    expect(await composeMessage(test.deps, findMessage(test.deps.db, id)!)).toMatchObject({
      kind: "not_sent",
    });
    expect(resendMessage(test.deps, actor, id)).toMatchObject({ code: "validation_failed" });
  });

  it("is sent anew to who has none, also after it was withdrawn, and to nobody with a password", async () => {
    const first = await invited();
    changeAccount(test.deps, actor, "meera", { active: false });
    expect([access("meera"), rows("SELECT * FROM invitation")]).toEqual(["none", []]);
    expect(changeAccount(test.deps, actor, "meera", { active: true }).ok).toBe(true);
    const second = (await mailed()).token;
    expect(second).not.toBe(first);
    changeAccount(test.deps, actor, "meera", { active: false });
    expect(inviteAgain(test.deps, actor, "MEERA").ok).toBe(true);
    expect(access("meera")).toBe("invited");
    await accept((await mailed()).token);
    expect(inviteAgain(test.deps, actor, "meera")).toMatchObject({ code: "in_use" });
    expect(inviteAgain(test.deps, actor, "nobody")).toMatchObject({ code: "not_found" });
  });

  it("needs a name and an address of its own, and for a captain the captain", () => {
    const inviteWith = (changes: object) => invite(test.deps, actor, { ...meera, ...changes });
    for (const [changes, code, field] of [
      [{ username: "ASHA" }, "in_use", "username"],
      [{ email: "Asha@captains.example" }, "in_use", "email"],
      [{ role: "captain" }, "validation_failed", "counselor"],
      [{ role: "captain", counselor: "Nobody" }, "validation_failed", "counselor"],
      [{ role: "staff", counselor: ASHAS }, "validation_failed", "counselor"],
    ] as const) {
      expect(inviteWith(changes)).toMatchObject({
        code,
        errors: { [field]: [expect.stringMatching(/./)] },
      });
    }
    expect([listAccounts(test.deps.db).length, logged(), test.wakes()]).toEqual([1, [], 0]);
  });
});

describe("access taken away", () => {
  it("ends sessions, codes and known browsers, and comes back with the same password", async () => {
    await add("meera", "staff");
    const token = session("meera");
    const code = { emailKey: "k", adminId: "meera", codeHash: "h", requestedAt: 0, expiresAt: 9 };
    insertCode(test.deps.db, code, 0);
    const signedIn = await enter("meera", PASSWORD);
    if (!signedIn.ok) throw new Error(signedIn.message);
    const { device } = signedIn.value;
    expect(knownDevice(account("meera"), device)).toBe(device.id);
    expect(changeAccount(test.deps, actor, "meera", { active: false }).ok).toBe(true);
    expect(findSession(test.deps, token)).toBeNull();
    expect(rows("SELECT * FROM admin_session")).toEqual([]);
    expect(rows("SELECT * FROM one_time_code")).toEqual([]);
    expect(knownDevice(account("meera"), device)).toBeNull();
    expect(await enter("meera", PASSWORD)).toMatchObject({ code: "invalid_credentials" });
    expect(changeAccount(test.deps, actor, "meera", { active: true }).ok).toBe(true);
    expect(await enter("meera", PASSWORD)).toMatchObject({ ok: true });
    expect(logged().filter((line) => line.startsWith("asha"))).toEqual([
      "asha on account meera: Account changed: access from given to none",
      "asha on account meera: Account changed: access from none to given",
    ]);
  });

  it.each([
    ["with the access", { active: false }, "asha"],
    ["with another role", { role: "staff" as const }, "asha"],
    ["with another captain", { counselor: "Capt. Rohan Sample" }, "asha"],
  ])("renews the address of the captain's calendar %s, once", async (_, changes, key) => {
    await add("captain", "captain", "asha");
    const [old, other] = [feedOf(key), feedOf("rohan")];
    expect(changeAccount(test.deps, actor, "captain", changes)).toMatchObject({ ok: true });
    const fresh = feedOf(key);
    expect(fresh).not.toBe(old);
    expect(feedOf("rohan")).toBe(other);
    changeAccount(test.deps, actor, "captain", changes);
    expect(feedOf(key)).toBe(fresh);
    expect(logged().at(-1)).toBe(`asha on ${ASHAS}: Calendar address renewed`);
  });

  it("changes nothing and writes nothing where all is so already", async () => {
    await add("meera", "staff");
    expect(changeAccount(test.deps, actor, "meera", { role: "staff", active: true }).ok).toBe(true);
    expect([access("meera"), account("meera").role, logged()]).toEqual(["given", "staff", []]);
  });

  it("leaves at least one owner who can sign in", async () => {
    const lastOwner = { code: "in_use", message: expect.stringContaining("last owner") };
    await invited({ ...meera, role: "owner" });
    for (const changes of [{ active: false }, { role: "staff" as const }]) {
      expect(changeAccount(test.deps, actor, "asha", changes)).toMatchObject(lastOwner);
    }
    expect(access("asha")).toBe("given");
    // One who has not joined yet may be withdrawn, and is no owner to rely on.
    expect(changeAccount(test.deps, actor, "meera", { active: false })).toMatchObject({ ok: true });
    await add("second", "owner");
    expect(changeAccount(test.deps, actor, "asha", { role: "staff" })).toMatchObject({ ok: true });
    expect(changeAccount(test.deps, actor, "second", { active: false })).toMatchObject(lastOwner);
  });
});

it("a role counts at the next request of a session", async () => {
  await add("meera", "staff");
  const token = session("meera");
  expect(findSession(test.deps, token)?.admin.role).toBe("staff");
  changeAccount(test.deps, actor, "meera", { role: "captain", counselor: ASHAS });
  expect(findSession(test.deps, token)?.admin).toMatchObject({
    role: "captain",
    counselorKey: "asha",
  });
  changeAccount(test.deps, actor, "meera", { role: "owner" });
  expect(findSession(test.deps, token)?.admin).toMatchObject({ role: "owner", counselorKey: null });
});

describe("by command", () => {
  const set = (username: string) => {
    const email = `${username}@x.example`;
    return setPassword(test.deps, { username, email, password: "by-the-book-2291" });
  };

  it("makes an owner", async () => {
    await createAdmin(test.deps, { username: "new", email: "n@x.example", password: PASSWORD });
    expect(account("new").role).toBe("owner");
  });

  it("gives access to an account in its role, and voids what it held", async () => {
    await add("captain", "captain", "asha");
    const token = session("captain");
    const signedIn = await enter("captain", PASSWORD);
    changeAccount(test.deps, actor, "captain", { active: false });
    const value = { username: "captain", role: "captain" };
    expect(await set("captain")).toEqual({ ok: true, value });
    expect(access("captain")).toBe("given");
    expect(findSession(test.deps, token)).toBeNull();
    if (signedIn.ok) expect(knownDevice(account("captain"), signedIn.value.device)).toBeNull();
    expect(logged().at(-1)).toContain("access given");
  });

  it("voids an open invitation", async () => {
    const token = await invited();
    expect(await set("meera")).toMatchObject({ value: { role: "staff" } });
    expect(await accept(token)).toMatchObject({ code: "not_found" });
  });

  it("makes an owner of it where none is left", async () => {
    await add("captain", "captain", "asha");
    test.deps.db.runRaw("UPDATE admin SET inactive_since = 1 WHERE id = 'asha'");
    expect(await set("captain")).toMatchObject({ value: { role: "owner" } });
    expect(account("captain")).toMatchObject({ role: "owner", counselorKey: null });
    expect(await set("asha")).toMatchObject({ value: { role: "owner" } });
  });
});
