/** A change of SESSION_SECRET, with the one before still listed: what is under way goes on. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  requestResetCode,
  resetPassword,
  verifyResetCode,
} from "#app/auth/reset-password.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { addAccount } from "#tests/support/admin.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

const client = { address: "192.0.2.1", userAgent: "a test" };
const email = "asha@captains.example";
const [OLD, FRESH] = ["o".repeat(32), "n".repeat(32)] as const;

quickPasswords();
const test = sharedDeps();
beforeAll(() => addAccount(test.deps.db));

const under = (...sessionSecrets: [string, ...string[]]): Deps => ({
  ...test.deps,
  env: { ...test.deps.env, sessionSecrets },
});

const mailedCodes = () =>
  test.deps.db
    .allRaw<{ code: string }>(
      "SELECT json_extract(data, '$.code') AS code FROM message WHERE kind = 'reset_code' ORDER BY rowid",
    )
    .map(({ code }) => code);

describe("a mailed code", () => {
  it("lives its ten minutes through a change, and one asked for after them is good", async () => {
    await requestResetCode(under(OLD), email, client);
    const [otp = ""] = mailedCodes();
    const input = { email, otp };
    expect((await verifyResetCode(under(FRESH, OLD), input, client)).ok).toBe(true);

    test.clock.now += 600_000;
    await requestResetCode(under(FRESH, OLD), email, client);
    const [, second = ""] = mailedCodes();
    const live = test.deps.db.allRaw("SELECT 1 FROM one_time_code WHERE code_hash IS NOT NULL");
    expect(live).toHaveLength(1);
    const reset = { ...input, otp: second, newPassword: "set-by-the-code-1" };
    expect((await resetPassword(under(FRESH, OLD), reset, client)).ok).toBe(true);
  });

  it("sends nothing while it lives, after a change either, and ends with its secret", async () => {
    test.clock.now += 3_600_000;
    await requestResetCode(under(OLD), email, client);
    const sent = mailedCodes();
    await requestResetCode(under(FRESH, OLD), email, client);
    expect(mailedCodes()).toEqual(sent);
    const verify = (deps: Deps) => verifyResetCode(deps, { email, otp: sent.at(-1)! }, client);
    expect((await verify(under(FRESH, OLD))).ok).toBe(true);
    expect((await verify(under(FRESH))).ok).toBe(false);
  });
});
