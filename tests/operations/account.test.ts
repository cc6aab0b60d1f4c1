/** The account: what a change leaves behind, and that nothing old is acted on when it changes while an operation waits. */
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
  readAccount,
  setUpTotp,
} from "#app/auth/account.server.ts";
import { ensureFirstAdmin } from "#app/auth/manage-admins.server.ts";
import { acceptSecondFactor, sealTotpSecret } from "#app/auth/second-factor.server.ts";
import { createSession, findSession, type LiveSession } from "#app/auth/session.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";
import { acceptInvitation, changeAccount, invite } from "#app/auth/team.server.ts";
import { setBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { deleteSessionsOf, findAdmin, updateAdmin } from "#db/queries/admins.server.ts";
import { addAccount, PASSWORD, turnOnTotp } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { png } from "#tests/support/png.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const GONE = { ok: false, code: "unauthenticated" };
const NEW = "another-runway-0918";
const ON_ALREADY = { errors: { totp: ["The second factor is on already."] } };
const client = { address: "192.0.2.1", device: null, userAgent: null };

quickPasswords();
const FIRST = { ADMIN_USERNAME: "first", ADMIN_PASSWORD: PASSWORD };
const test = freshDeps({ ...FIRST, ADMIN_EMAIL: "first@captains.example", RATE_LIMIT: "on" });
let mine: LiveSession;
let woken: number;
beforeEach(async () => {
  await addAccount(test.deps.db);
  mine = newSession();
  woken = test.wakes();
});

function newSession(): LiveSession {
  const { token } = createSession(test.deps, "asha", { userAgent: null });
  return findSession(test.deps, token)!;
}

const rows = (sql: string) => test.deps.db.allRaw<Record<string, string>>(sql);
const account = () => rows("SELECT * FROM admin")[0]!;
/** Since the last time: what was logged and by whom, what was mailed, how often the mailer woke. */
function effects() {
  const logged = rows("SELECT actor, action FROM activity ORDER BY rowid");
  const mailed = rows("SELECT json_extract(data, '$.notice') AS notice FROM message");
  const found = {
    logged: logged.map(({ actor, action }) => `${actor} ${action}`),
    mailed: mailed.map(({ notice }) => notice),
    wakes: test.wakes() - woken,
  };
  test.deps.db.runRaw("DELETE FROM activity");
  test.deps.db.runRaw("DELETE FROM message");
  woken = test.wakes();
  return found;
}
const once = (action: string, notice: string) => ({
  logged: [`asha ${action}`],
  mailed: [notice],
  wakes: 1,
});

const secretOfApp = new Secret({ size: 20 });
const codeNow = (secret = secretOfApp) =>
  TOTP.generate({ secret, timestamp: test.clock.now }).toString();
const turnOn = () =>
  turnOnTotp(test.deps.db, test.deps.env.sessionSecrets[0], {
    username: "asha",
    secret: secretOfApp.base32,
  });
const typed = (code = codeNow()) => ({ currentPassword: PASSWORD, code });

describe("a change of the account", () => {
  it("is logged and mailed once, of sessions with their number, and is nothing where none ended", async () => {
    const end = () => endMyOtherSessions(test.deps, mine, { currentPassword: PASSWORD });
    newSession();
    newSession();
    expect(await end()).toEqual({ ok: true, value: 2 });
    expect(rows("SELECT after FROM activity")).toEqual([{ after: '{"count":2}' }]);
    expect(effects()).toEqual(once("sessions_end", "sessions_ended"));
    expect(await end()).toEqual({ ok: true, value: 0 });
    expect(effects()).toMatchObject({ logged: [], mailed: [] });

    const begun = setUpTotp(test.deps, mine.admin, { anew: true });
    if (!begun.ok) throw new Error(begun.message);
    expect(effects()).toEqual({ logged: [], mailed: [], wakes: 0 });
    const secret = Secret.fromBase32(begun.value.secret);
    expect(await confirmTotp(test.deps, mine, typed(codeNow(secret)))).toMatchObject({ ok: true });
    expect(effects()).toEqual(once("second_factor_on", "second_factor_on"));
    test.clock.now += 30_000;
    expect(await disableTotp(test.deps, mine, typed(codeNow(secret)))).toMatchObject({ ok: true });
    expect(effects()).toEqual(once("second_factor_off", "second_factor_off"));
    const off = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null };
    expect(account()).toMatchObject({ ...off, recovery_codes: "[]" });

    const change = { currentPassword: PASSWORD, newPassword: NEW };
    expect(await changePassword(test.deps, mine, change, client)).toMatchObject({ ok: true });
    expect(effects()).toEqual(once("password_change", "password_changed"));
  });

  it("with the right password and code is no failed try, however often", async () => {
    for (let i = 0; i < 6; i++) {
      test.clock.now += 30_000;
      turnOn();
      expect(await disableTotp(test.deps, mine, typed())).toMatchObject({ ok: true });
    }
  });
});

describe("a second factor", () => {
  const setUp = (anew: boolean) => setUpTotp(test.deps, mine.admin, { anew });

  it("that is begun is shown as it is stored; one that is on is not shown, begun or confirmed again", async () => {
    const begun = setUp(true);
    const stored = account();
    expect(setUp(false)).toEqual(begun);
    expect(account()).toEqual(stored);
    // Another session may have seen it.
    expect(setUp(true)).not.toEqual(begun);
    expect(account()).not.toEqual(stored);
    turnOn();
    const before = account();
    expect(setUp(true)).toMatchObject(ON_ALREADY);
    expect(setUp(false)).toMatchObject(ON_ALREADY);
    expect(await confirmTotp(test.deps, mine, typed())).toMatchObject(ON_ALREADY);
    expect(account()).toEqual(before);
  });

  it("takes codes of one step before and after, each once and none older than the last", () => {
    turnOn();
    const start = Math.ceil(test.clock.now / 30_000) * 30_000;
    const tryStep = (now: number, step: number) => {
      test.clock.now = now;
      const timestamp = start + step * 30_000;
      const code = TOTP.generate({ secret: secretOfApp, timestamp });
      return acceptSecondFactor(test.deps.db, test.deps, "asha", code);
    };
    expect([-2, 2, -1, -1, 1, 0].map((step) => tryStep(start, step))).toEqual([
      ...[false, false, true, false, true, false],
    ]);
    expect(tryStep(start + 30_000, 2)).toBe(true);
  });

  it("is none of an account that is gone", () => {
    test.deps.db.runRaw("DELETE FROM admin");
    expect(readAccount(test.deps, mine.admin)).toBeNull();
    expect(setUp(true)).toMatchObject(GONE);
    expect(acceptSecondFactor(test.deps.db, test.deps, "asha", "no code")).toBe(false);
  });
});

const OWNER = { kind: "admin", username: "owner", role: "owner" } as const;
const WRONG = { ok: false, code: "invalid_credentials" };
const NOT_CURRENT = {
  ok: false,
  code: "validation_failed",
  errors: { currentPassword: ["This is not your current password."] },
};

const set = (change: Parameters<typeof updateAdmin>[3]) =>
  updateAdmin(test.deps.db, "asha", 1, change);
const stateNow = () => rows("SELECT * FROM admin ORDER BY id");
const sessions = () => rows("SELECT token_hash FROM admin_session").length;
const addOther = () => addRow(test.deps.db, "admin", "o", { password_hash: "x" });
const sealed = () => sealTotpSecret(test.deps.env.sessionSecrets, "asha", secretOfApp.base32);

it("a sign-in under way counts for the account as it is by then: second factor, password, access", async () => {
  const enter = () => signIn(test.deps, { username: "asha", password: PASSWORD }, client);
  const without = enter();
  set({ totpSecret: sealed(), totpConfirmedAt: 1 });
  expect(await without).toMatchObject({ ...WRONG, errors: { totp: [expect.any(String)] } });
  expect([sessions(), rows("SELECT 1 FROM activity")]).toEqual([1, []]);
  const off = enter();
  set({ totpSecret: null, totpConfirmedAt: null });
  expect(await off).toMatchObject({ ok: true });

  const { passwordHash } = findAdmin(test.deps.db, "asha")!;
  const changed = enter();
  // As a change, a mailed reset and `admin:create` do.
  set({ passwordHash: "of another" });
  expect(await changed).toMatchObject(WRONG);
  expect(effects().logged).toEqual(["asha login", "asha login_failed"]);
  set({ passwordHash });
  addOther();
  const barred = enter();
  changeAccount(test.deps, OWNER, "asha", { role: "staff", active: false });
  expect(await barred).toMatchObject(WRONG);
  const last = enter();
  test.deps.db.runRaw("DELETE FROM admin WHERE id = 'asha'");
  expect(await last).toMatchObject(WRONG);
  expect(sessions()).toBe(0);
});

const change = () =>
  changePassword(test.deps, mine, { currentPassword: PASSWORD, newPassword: NEW }, client);
const begun = () => ({ currentPassword: PASSWORD, code: codeNow() });
const each: [string, () => Promise<unknown>, boolean][] = [
  ["of the password", change, false],
  ["that ends sessions", () => endMyOtherSessions(test.deps, mine, begun()), false],
  ["that turns the second factor on", () => confirmTotp(test.deps, mine, begun()), false],
  ["that turns it off", () => disableTotp(test.deps, mine, begun()), true],
];
it.each(each)(
  "a change under way %s is refused once its password is no more, or its session has ended",
  async (_, act, isOn) => {
    set({ totpSecret: sealed(), totpConfirmedAt: isOn ? 1 : null });
    newSession();
    const { passwordHash } = findAdmin(test.deps.db, "asha")!;
    const acting = act();
    set({ passwordHash: "of another" });
    const before = stateNow();
    expect(await acting).toMatchObject(NOT_CURRENT);
    expect(stateNow()).toEqual(before);
    expect([sessions(), rows("SELECT 1 FROM activity"), rows("SELECT 1 FROM message")]).toEqual([
      ...[2, [], []],
    ]);
    set({ passwordHash });
    const late = act();
    deleteSessionsOf(test.deps.db, "asha");
    const then = stateNow();
    expect(await late).toMatchObject(GONE);
    expect(stateNow()).toEqual(then);
  },
);

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

it("a first account from the environment is asked for in production and made, only while there is none", async () => {
  const env = { ...test.deps.env, production: true, firstAdmin: null };
  expect(await ensureFirstAdmin({ ...test.deps, env }, {})).toEqual([]);
  test.deps.db.runRaw("DELETE FROM admin");
  expect((await ensureFirstAdmin({ ...test.deps, env }, {})).join()).toContain("ADMIN_PASSWORD");
  const making = ensureFirstAdmin(test.deps);
  addOther();
  expect(await making).toEqual([]);
  expect(rows("SELECT username FROM admin")).toEqual([{ username: "o" }]);
});

describe("a change that waits for something else", () => {
  beforeEach(() => set({ role: "captain", counselorKey: "asha" }));
  const actor = (): Actor => ({
    kind: "admin",
    username: "asha",
    role: "captain",
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
    const picture = await png(600, 600);
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
