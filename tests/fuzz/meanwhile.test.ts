/**
 * Sign-ins of many at once, and an account that changes while their passwords are hashed: whose
 * session is open afterwards is the finding. FUZZ_RUNS sets how often.
 */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAdmin, setPassword } from "#app/auth/manage-admins.server.ts";
import { changeAccount } from "#app/auth/team.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { signIn } from "#tests/support/admin.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";

const ROUNDS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 8) / 4);
/** As many as one network may have under way. */
const AT_ONCE = 4;
const OWNER = { kind: "admin", username: "admin", role: "owner" } as const;

let app: TestApp;
/** Another process on the same file. */
let outside: TestDeps["deps"];
let close: () => void;
beforeAll(async () => {
  app = await startTestApp();
  const made = await makeDeps();
  outside = { ...made.deps, db: app.db };
  close = made.close;
});
afterAll(async () => {
  close();
  await app.stop();
});

let serial = 0;
async function account() {
  serial += 1;
  const made = { username: `pilot${serial}`, email: `pilot${serial}@captains.example` };
  await createAdmin(outside, { ...made, password: "quiet-runway-0917" });
  return { ...made, password: "quiet-runway-0917" };
}
type Account = Awaited<ReturnType<typeof account>>;

const CHANGES: [name: string, change: (of: Account) => unknown][] = [
  ["sets its password", (of) => setPassword(outside, { ...of, password: "another-runway-0918" })],
  [
    "loses its access",
    ({ username }) => changeAccount(outside, OWNER, username, { active: false }),
  ],
];

it.each(CHANGES)("no sign-in under way outlives that its account %s", async (_, change) => {
  for (let round = 0; round < ROUNDS; round++) {
    const of = await account();
    const entering = Array.from({ length: AT_ONCE }, () => signIn(app, of));
    await wait(round * 5);
    await change(of);
    const answers = await Promise.all(entering);
    const live = answers.map(async ({ data }) => {
      const { token } = data ?? {};
      if (!token) return false;
      return (await app.api("/api/admin/appointments?pageSize=1", { token })).httpStatus === 200;
    });
    expect(await Promise.all(live)).toEqual(Array(AT_ONCE).fill(false));
  }
});
