/** Sessions of an account that a test gives itself, and whether there are others. */
import { createHash, randomBytes } from "node:crypto";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** A live session of the account, made without its password: its token. */
export function sessionOf({ db }: Pick<TestApp, "db">, username: string): string {
  const token = randomBytes(32).toString("base64url");
  const now = Date.now();
  db.runRaw("INSERT INTO admin_session SELECT ?, id, NULL, ?, ?, ? FROM admin WHERE username = ?", [
    hashOf(token),
    now,
    now,
    now + 6 * 3_600_000,
    username,
  ]);
  return token;
}

/** A session is made anew when what was sent has ended it. */
export function ownSessions(app: TestApp) {
  const own = new Set<string>();
  let token = "";
  return {
    live(): string {
      const live = app.db.firstRaw("SELECT 1 FROM admin_session WHERE token_hash = ?", [
        hashOf(token),
      ]);
      if (!live) {
        token = sessionOf(app, ADMIN.username);
        own.add(hashOf(token));
      }
      return token;
    },
    /** How many sessions there are that nobody made here. */
    strange(): number {
      return app.db
        .allRaw<{ token_hash: string }>("SELECT token_hash FROM admin_session")
        .filter(({ token_hash }) => !own.has(token_hash)).length;
    },
  };
}
