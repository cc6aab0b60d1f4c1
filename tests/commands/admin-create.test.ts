import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createAdmin } from "#app/auth/manage-admins.server.ts";
import { verifyPassword } from "#app/auth/password.server.ts";
import { migrate, openDb } from "#db/connection.server.ts";
import { findAdminByUsername } from "#db/queries/admins.server.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { runScript } from "#tests/support/run-script.ts";

const path = join(scratchFolder(), "test.db");
beforeAll(async () => {
  const db = openDb(path);
  await migrate(db);
  db.close();
});

/** In an environment that configures the file and nothing else. */
const adminCreate = (args: readonly string[], input: string) =>
  runScript("admin-create.ts", args, { NODE_ENV: "production", DATABASE_PATH: path }, input);

async function accepts(username: string, password: string): Promise<boolean> {
  const db = openDb(path);
  const admin = findAdminByUsername(db, username);
  db.close();
  return verifyPassword(admin?.passwordHash ?? null, password);
}

const ASHA = ["--username", "asha", "--email", "asha@captains.example"];

describe("npm run admin:create", () => {
  test("makes an account, and sets its password the next time", async () => {
    const made = await adminCreate(ASHA, "quiet-runway-0917\n");
    expect([made.status, made.output]).toEqual([0, "The owner asha is made.\n"]);
    expect(await accepts("asha", "quiet-runway-0917")).toBe(true);
    const set = await adminCreate(ASHA, "silent-runway-0918");
    expect([set.status, set.output]).toEqual([
      0,
      "The password and the e-mail address of asha are set, and it has access as owner. " +
        "The second factor is off, every session is ended, and codes mailed before are void.\n",
    ]);
    expect(await accepts("asha", "silent-runway-0918")).toBe(true);
    expect(await accepts("asha", "quiet-runway-0917")).toBe(false);
    const other = { username: "rohan", email: "ASHA@captains.example", password: "x" };
    const db = openDb(path);
    const message = expect.stringContaining("Another account");
    expect(await createAdmin({ db, now: Date.now }, other)).toMatchObject({ ok: false, message });
    db.close();
  });

  test.each<[string, readonly string[], string, string]>([
    ["no name", ["--email", "a@b.example"], "quiet-runway-0917", "--username"],
    ["no address", ["--username", "b"], "quiet-runway-0917", "--email"],
    [
      "a name that the log uses",
      ["--username", "system", "--email", "s@captains.example"],
      "quiet-runway-0917",
      "program's own",
    ],
    ["another argument", [...ASHA, "--password", "x"], "quiet-runway-0917", "--password"],
    ["a common password", ASHA, "password1234\n", "first that anybody would try"],
  ])("refuses %s", async (_, args, input, words) => {
    const refused = await adminCreate(args, input);
    expect([refused.status, refused.output]).toEqual([1, expect.stringContaining(words)]);
    expect(refused.output).not.toContain("quiet-runway");
  });
});
