/** How often a mailed code may be guessed and asked for, and who is stopped by whose tries. */
import { beforeAll, beforeEach, expect, it } from "vitest";
import { setPassword } from "#app/auth/manage-admins.server.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { adminOf } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { codeMailedBy } from "#tests/support/reset-codes.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const app = sharedApp({
  now: () => now,
  env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: "x-client-address" },
});
let now = Date.now();
beforeAll(async () => {
  await adminOf(app);
});
/** Every test has a day of its own. */
beforeEach(() => {
  now += DAY + MINUTE;
});

interface Browser {
  address: string;
  cookie?: string | undefined;
}

const OWNER: Browser = { address: "203.0.113.7" };
const stranger = (i: number): Browser => ({ address: `198.51.${i >> 8}.${i & 255}` });

const call = (path: string, { address, cookie }: Browser, json: object) =>
  app.api(`/api/admin/${path}`, {
    json,
    headers: { "X-Client-Address": address, ...(cookie ? { Cookie: cookie } : {}) },
  });

const ask = (from: Browser, email: string = ADMIN.email) =>
  call("forgot-password", from, { email });
const tryCode = (from: Browser, otp: string, email: string = ADMIN.email) =>
  call("verify-otp", from, { email, otp });

/** Rows of mails, each queued in the same transaction as its code. */
const sentCodes = () =>
  app.db.firstRaw<{ n: number }>("SELECT count(*) AS n FROM message WHERE kind = 'reset_code'")!.n;

const newCode = (from: Browser) =>
  codeMailedBy(app, async () => {
    const before = sentCodes();
    expect((await ask(from)).httpStatus).toBe(200);
    expect(sentCodes()).toBe(before + 1);
  });

const other = (code: string) => (code === "111111" ? "222222" : "111111");

const statuses = async (tries: number, attempt: (i: number) => Promise<{ httpStatus: number }>) => {
  const all: number[] = [];
  for (let i = 0; i < tries; i++) all.push((await attempt(i)).httpStatus);
  return all;
};

/** What a browser that has signed in once sends with everything. */
async function knownBrowser(password: string = ADMIN.password): Promise<Browser> {
  const { username } = ADMIN;
  const { headers } = await call("login", OWNER, { username, password });
  const cookie = headers.getSetCookie().find((one) => one.startsWith("admin_device="));
  return { ...OWNER, cookie: cookie?.split(";")[0] };
}

it("a browser that has signed in before has a code and counts of its own", async () => {
  const known = await knownBrowser();
  const first = await newCode(known);
  expect((await tryCode(OWNER, first)).httpStatus).toBe(401);
  expect((await tryCode(known, first)).httpStatus).toBe(200);
  now += 10 * MINUTE;
  // Strangers use up what there is: the code in hand, the day's codes, the day's wrong tries.
  for (let round = 0; round < 10; round++) {
    const code = await newCode(stranger(round));
    for (let i = 0; i < 4; i++) await statuses(5, () => tryCode(stranger(i), other(code)));
    now += 21 * MINUTE;
  }
  const before = sentCodes();
  await ask(OWNER);
  expect(sentCodes()).toBe(before);
  const own = await newCode(known);
  // From the address that a stranger has closed, too; and the code is of this browser alone.
  expect((await tryCode({ ...known, address: stranger(1).address }, own)).httpStatus).toBe(200);
  expect((await tryCode(stranger(77), own)).httpStatus).toBe(429);
  expect(await statuses(6, () => tryCode(known, other(own)))).toEqual([
    401, 401, 401, 401, 401, 429,
  ]);
  now += 10 * MINUTE;
  const otp = await newCode(known);
  const done = await call("reset-password", known, {
    email: ADMIN.email,
    otp,
    newPassword: "another-runway-0918",
  });
  expect([done.httpStatus, done.data]).toEqual([200, {}]);
  expect(done.headers.getSetCookie().join()).toContain("admin_device=");
});

it("a password set on the machine signs in although strangers locked the account", async () => {
  const { username, email } = ADMIN;
  const password = "a-fourth-runway-0920";
  const login = (tried: string, i: number) =>
    call("login", stranger(i), { username, password: tried });
  await statuses(50, (i) => login("wrong", i));
  expect((await login("wrong", 60)).httpStatus).toBe(429);
  await setPassword({ db: app.db, now: () => now }, { username, email, password });
  expect((await login(password, 60)).httpStatus).toBe(200);
});
