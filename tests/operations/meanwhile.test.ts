/** What happens to an account while an operation on it waits: nothing old is acted on. */
import { Secret, TOTP } from "otpauth";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
} from "#app/auth/account.server.ts";
import { ensureFirstAdmin } from "#app/auth/manage-admins.server.ts";
import { sealTotpSecret } from "#app/auth/second-factor.server.ts";
import { createSession, findSession, type LiveSession } from "#app/auth/session.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";
import { acceptInvitation, changeAccount, invite } from "#app/auth/team.server.ts";
import { setBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { deleteSessionsOf, insertAdmin, updateAdmin } from "#db/queries/admins.server.ts";
import { addAccount, cheapHash, PASSWORD } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

const NEW = "another-runway-0918";
const OWNER = { kind: "admin", username: "owner", role: "owner" } as const;
const client = { address: "192.0.2.1", device: null, userAgent: null };
const WRONG = { ok: false, code: "invalid_credentials" };
const NOT_CURRENT = {
  ...{ ok: false, code: "validation_failed" },
  errors: { currentPassword: ["This is not your current password."] },
};
const GONE = { ok: false, code: "unauthenticated" };

quickPasswords();
const test = freshDeps({
  ADMIN_USERNAME: "first",
  ADMIN_PASSWORD: PASSWORD,
  ADMIN_EMAIL: "first@captains.example",
});
let mine: LiveSession;
beforeEach(async () => {
  await addAccount(test.deps.db);
  mine = session();
});

const session = () =>
  findSession(test.deps, createSession(test.deps, "asha", { userAgent: null }).token)!;
const set = (change: Parameters<typeof updateAdmin>[3]) =>
  updateAdmin(test.deps.db, "asha", 1, change);
const rows = (sql: string) => test.deps.db.allRaw<Record<string, unknown>>(sql);
const stateNow = () => rows("SELECT * FROM admin ORDER BY id");
const sessions = () => rows("SELECT token_hash FROM admin_session").length;
const secret = new Secret({ size: 20 });
const addOther = () =>
  insertAdmin(test.deps.db, {
    ...{ id: "o", username: "o", email: "o@captains.example", passwordHash: "x" },
    ...{ createdAt: 0, updatedAt: 0 },
  });
const sealed = () => sealTotpSecret(test.deps.env.sessionSecrets, "asha", secret.base32);
const codeNow = () => TOTP.generate({ secret, timestamp: test.clock.now }).toString();

describe("a sign-in under way", () => {
  const enter = (totp?: string) =>
    signIn(test.deps, { username: "asha", password: PASSWORD, totp }, client);

  it("opens no session of a password that is another's by then", async () => {
    const other = await cheapHash(NEW);
    const entering = enter();
    // As a change, a mailed reset and `admin:create` do.
    set({ passwordHash: other });
    expect(await entering).toMatchObject(WRONG);
    expect(sessions()).toBe(1);
    expect(rows("SELECT action FROM activity")).toEqual([{ action: "login_failed" }]);
  });

  it("opens none for an account whose access was taken away, or that is gone", async () => {
    const entering = [enter(), enter()];
    changeAccount(test.deps, OWNER, "asha", { role: "staff", active: false });
    addOther();
    changeAccount(test.deps, OWNER, "asha", { role: "staff", active: false });
    for (const one of entering) expect(await one).toMatchObject(WRONG);
    const last = enter();
    test.deps.db.runRaw("DELETE FROM admin WHERE id = 'asha'");
    expect(await last).toMatchObject(WRONG);
    expect(sessions()).toBe(0);
  });

  it("asks for the second factor that was turned on, and for none that was turned off", async () => {
    const without = enter();
    set({ totpSecret: sealed(), totpConfirmedAt: 1 });
    expect(await without).toMatchObject({ ...WRONG, errors: { totp: [expect.any(String)] } });
    expect([sessions(), rows("SELECT 1 FROM activity")]).toEqual([1, []]);
    const off = enter();
    set({ totpSecret: null, totpConfirmedAt: null });
    expect(await off).toMatchObject({ ok: true });
  });
});

describe("a change of the account under way", () => {
  const change = () =>
    changePassword(test.deps, mine, { currentPassword: PASSWORD, newPassword: NEW }, client);
  const begun = () => ({ currentPassword: PASSWORD, code: codeNow() });
  const each: [string, () => Promise<unknown>, boolean][] = [
    ["of the password", change, false],
    ["that ends sessions", () => endMyOtherSessions(test.deps, mine, begun()), false],
    ["that turns the second factor on", () => confirmTotp(test.deps, mine, begun()), false],
    ["that turns it off", () => disableTotp(test.deps, mine, begun()), true],
  ];
  it.each(each)("%s is refused once its password is no more", async (_, act, isOn) => {
    set({ totpSecret: sealed(), totpConfirmedAt: isOn ? 1 : null });
    session();
    const acting = act();
    set({ passwordHash: "of another" });
    const before = stateNow();
    expect(await acting).toMatchObject(NOT_CURRENT);
    expect(stateNow()).toEqual(before);
    expect([sessions(), rows("SELECT 1 FROM activity"), rows("SELECT 1 FROM message")]).toEqual([
      ...[2, [], []],
    ]);
  });

  it.each(each)("%s is refused once its session has ended", async (_, act, isOn) => {
    set({ totpSecret: sealed(), totpConfirmedAt: isOn ? 1 : null });
    const before = stateNow();
    const acting = act();
    deleteSessionsOf(test.deps.db, "asha");
    expect(await acting).toMatchObject(GONE);
    expect(stateNow()).toEqual(before);
  });

  it("of the password twice at once is made once", async () => {
    const both = await Promise.all([change(), change()]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject(NOT_CURRENT);
  });
});

it("an invitation is no way in once it was withdrawn or sent anew", async () => {
  const input = { username: "ravi", email: "ravi@captains.example", role: "staff" } as const;
  invite(test.deps, OWNER, input);
  const token = JSON.parse(String(rows("SELECT data FROM message")[0]!.data)).code as string;
  const accepting = acceptInvitation(test.deps, token, { newPassword: NEW }, client);
  changeAccount(test.deps, OWNER, "ravi", { active: false });
  expect(await accepting).toMatchObject({ code: "not_found" });
  expect(rows("SELECT password_hash FROM admin WHERE username = 'ravi'")).toEqual([
    { password_hash: "" },
  ]);
});

it("a first account from the environment is made only while there is none", async () => {
  test.deps.db.runRaw("DELETE FROM admin");
  const making = ensureFirstAdmin(test.deps);
  addOther();
  expect(await making).toEqual([]);
  expect(rows("SELECT username FROM admin")).toEqual([{ username: "o" }]);
});

describe("a change that waits for something else", () => {
  beforeEach(() => set({ role: "captain", counselorKey: "asha" }));
  const actor = (): Actor => ({
    ...{ kind: "admin", username: "asha", role: "captain" },
    session: { tokenHash: mine.tokenHash, counselorKey: "asha" },
  });
  const ended: [string, () => void][] = [
    ["whose session has ended", () => deleteSessionsOf(test.deps.db, "asha")],
    ["whose role is another", () => set({ role: "staff", counselorKey: null })],
    ["without access", () => set({ inactiveSince: 1 })],
    ["of another captain's", () => set({ counselorKey: "rohan" })],
  ];
  const read = () => setBusyCalendar(test.deps, actor(), "asha", "https://127.0.0.1:9/a.ics");

  it.each(ended)("for a calendar is not made by one %s", async (_, end) => {
    const reading = read();
    end();
    expect(await reading).toMatchObject(GONE);
    expect(rows("SELECT * FROM busy_calendar")).toEqual([]);
  });

  it("for a picture is not made by one whose session has ended", async () => {
    const create = { width: 600, height: 600, channels: 3, background: "#fff" } as const;
    const picture = new Uint8Array(await sharp({ create }).png().toBuffer());
    const before = rows("SELECT * FROM counselor");
    const drawing = changePortrait(test.deps, actor(), "asha", picture);
    deleteSessionsOf(test.deps.db, "asha");
    expect(await drawing).toMatchObject(GONE);
    expect(rows("SELECT * FROM counselor")).toEqual(before);
  });

  it("is made by one whose session still lives", async () => {
    expect(await read()).toMatchObject({ ok: true });
  });
});
