/** How often a mailed code may be guessed, and who is stopped by whose guesses. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { adminOf } from "#tests/support/admin.ts";
import { eventually } from "#tests/support/eventually.ts";

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

const from = (address: string) => ({ "X-Client-Address": address });
const OWNER = from("203.0.113.7");

const codeMails = () =>
  app.sandbox.mailbox.list({ to: ADMIN.email }).filter((mail) => /code/i.test(mail.subject ?? ""));

async function newCode(): Promise<string> {
  now += 61_000;
  const before = codeMails().length;
  const { email } = ADMIN;
  await app.api("/api/admin/forgot-password", { json: { email }, headers: OWNER });
  await eventually(() => expect(codeMails().length).toBeGreaterThan(before));
  return /\b\d{6}\b/.exec(codeMails().at(-1)?.text ?? "")![0];
}

const tryCode = (otp: string, headers: Record<string, string>) =>
  app.api("/api/admin/verify-otp", { json: { email: ADMIN.email, otp }, headers });

/** Five wrong tries on a fresh code. */
async function guessFive(address: string): Promise<number[]> {
  const wrong = (await newCode()) === "111111" ? "222222" : "111111";
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await tryCode(wrong, from(address))).httpStatus);
  return statuses;
}

it("a stranger's address ends at ten wrong codes a day, and the owner goes on", async () => {
  const stranger = "198.51.100.1";
  expect(await guessFive(stranger)).toEqual(Array(5).fill(401));
  expect(await guessFive(stranger)).toEqual(Array(5).fill(401));
  const code = await newCode();
  const refused = await tryCode(code, from(stranger));
  expect([refused.httpStatus, refused.code]).toEqual([429, "rate_limited"]);
  expect(refused.message).toBe("Too many wrong codes today. Please try again tomorrow.");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
  expect((await tryCode(code, OWNER)).httpStatus).toBe(200);
});

it("a reset lifts the day's limit of failed sign-ins for the name", async () => {
  const { username, email } = ADMIN;
  const newPassword = "another-runway-0918";
  const login = (password: string, address: string) =>
    app.api("/api/admin/login", { json: { username, password }, headers: from(address) });
  for (let i = 0; i < 50; i++) await login("wrong", `198.51.101.${i}`);
  expect((await login(ADMIN.password, "203.0.113.8")).httpStatus).toBe(429);
  const otp = await newCode();
  const done = await app.api("/api/admin/reset-password", {
    json: { email, otp, newPassword },
    headers: OWNER,
  });
  expect(done.httpStatus).toBe(200);
  expect((await login(newPassword, "203.0.113.8")).httpStatus).toBe(200);
});

it("all addresses together end at fifty wrong codes a day, whatever the code", async () => {
  // Ten were tried above.
  for (let i = 0; i < 8; i++) {
    expect(await guessFive(`198.51.102.${i}`)).toEqual(Array(5).fill(401));
  }
  const refused = await tryCode(await newCode(), OWNER);
  expect([refused.httpStatus, refused.code]).toEqual([429, "rate_limited"]);
});
