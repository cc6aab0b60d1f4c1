/** How often a mailed code may be guessed and asked for, and who is stopped by whose tries. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { setPassword } from "#app/auth/manage-admins.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { adminOf } from "#tests/support/admin.ts";
import { codeMailedBy } from "#tests/support/reset-codes.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOBODY = "nobody@elsewhere.example";

let app: TestApp;
let now = Date.now();
beforeAll(async () => {
  app = await startTestApp({
    now: () => now,
    env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: "x-client-address" },
  });
  await adminOf(app);
});
afterAll(() => app.stop());
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

const floodAlerts = () =>
  app.db.allRaw("SELECT 1 FROM message WHERE cause LIKE 'owner_alert:reset_flood:%'").length;

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

it("a code lives its ten minutes whoever asks for another meanwhile", async () => {
  const code = await newCode(OWNER);
  const sent = sentCodes();
  for (let i = 0; i < 9; i++) {
    now += MINUTE;
    expect((await ask(stranger(i))).httpStatus).toBe(200);
  }
  expect(sentCodes()).toBe(sent);
  now += MINUTE - 1000;
  expect((await tryCode(OWNER, code)).httpStatus).toBe(200);
  now += 1000;
  expect((await tryCode(OWNER, code)).httpStatus).toBe(401);
});

it("three are sent in an hour and ten in a day, and the owner is told of more", async () => {
  const before = sentCodes();
  const told = floodAlerts();
  const sentInHour: number[] = [];
  for (let hour = 0; hour < 6; hour++) {
    const start = sentCodes();
    for (let i = 0; i < 5; i++) {
      const known = await ask(stranger(i));
      const unknown = await ask(stranger(i), NOBODY);
      expect([known.httpStatus, known.text]).toEqual([unknown.httpStatus, unknown.text]);
      now += 11 * MINUTE;
    }
    sentInHour.push(sentCodes() - start);
    now += 10 * MINUTE;
  }
  expect(sentInHour).toEqual([3, 3, 3, 1, 0, 0]);
  expect(sentCodes()).toBe(before + 10);
  expect(floodAlerts()).toBe(told + 6);
});

it("many requests at once are a flood, of which the owner is told once", async () => {
  const before = floodAlerts();
  for (let i = 0; i < 30; i++) await ask(stranger(i));
  expect(floodAlerts()).toBe(before + 1);
  for (let i = 0; i < 30; i++) await ask(stranger(i), NOBODY);
  expect(floodAlerts()).toBe(before + 1);
});

it("five wrong tries end it for an address, twenty for all, known or not", async () => {
  const code = await newCode(OWNER);
  await ask(OWNER, NOBODY);
  for (const email of [ADMIN.email, NOBODY]) {
    for (let from = 0; from < 4; from++) {
      const tried = await statuses(6, () => tryCode(stranger(from), other(code), email));
      expect(tried).toEqual([401, 401, 401, 401, 401, 429]);
    }
    const refused = await tryCode(OWNER, code, email);
    expect([refused.httpStatus, refused.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(600);
  }
  now += 10 * MINUTE;
  expect((await tryCode(stranger(0), await newCode(OWNER))).httpStatus).toBe(200);
});

it("an account ends at fifty wrong ones a day, whatever the code", async () => {
  let wrong = 0;
  for (let round = 0; round < 3; round++) {
    const code = await newCode(OWNER);
    for (let i = 0; i < 4; i++) {
      const tried = await statuses(5, () => tryCode(stranger(i), other(code)));
      wrong += tried.filter((status) => status === 401).length;
    }
    now += 10 * MINUTE;
  }
  expect(wrong).toBe(50);
  now += 60 * MINUTE;
  const refused = await tryCode(OWNER, await newCode(OWNER));
  expect([refused.httpStatus, refused.code]).toEqual([429, "rate_limited"]);
  expect(refused.message).toBe("Too many wrong codes today. Please try again tomorrow.");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(70_000);
});

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

it("a reset lifts the day's limit of failed sign-ins for the name", async () => {
  const { username, email } = ADMIN;
  const newPassword = "a-third-runway-0919";
  const login = (password: string, i: number) => call("login", stranger(i), { username, password });
  await statuses(50, (i) => login("wrong", i));
  expect((await login("another-runway-0918", 60)).httpStatus).toBe(429);
  const otp = await newCode(OWNER);
  const done = await call("reset-password", OWNER, { email, otp, newPassword });
  expect(done.httpStatus).toBe(200);
  expect((await login(newPassword, 60)).httpStatus).toBe(200);
});

it("so does a password set on the machine, the last way in", async () => {
  const { username, email } = ADMIN;
  const password = "a-fourth-runway-0920";
  const login = (tried: string, i: number) =>
    call("login", stranger(i), { username, password: tried });
  await statuses(50, (i) => login("wrong", i));
  expect((await login("wrong", 60)).httpStatus).toBe(429);
  await setPassword({ db: app.db, now: () => now }, { username, email, password });
  expect((await login(password, 60)).httpStatus).toBe(200);
});

it("with the limits lifted a code still has its tries, and lives as long", async () => {
  const free = await startTestApp({ now: () => now });
  try {
    const post = (path: string, json: object) => free.api(`/api/admin/${path}`, { json });
    const { email } = ADMIN;
    const sent = () => free.db.allRaw("SELECT 1 FROM message WHERE kind = 'reset_code'").length;
    for (let i = 0; i < 12; i++) {
      await post("forgot-password", { email });
      await post("forgot-password", { email });
      expect(sent()).toBe(i + 1);
      // One of these may be right.
      const tried = await statuses(8, (j) => post("verify-otp", { email, otp: `00000${j}` }));
      expect(tried.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
      now += 10 * MINUTE;
    }
  } finally {
    await free.stop();
  }
});
