/**
 * `npm run admin:create -- --username U --email E`: adds an owner, or gives an existing account access
 * again: sets password and address, and turns the second factor off; its role stays, unless no owner is
 * left. The password is the first line of standard input.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createAdmin, firstPasswordFault, setPassword } from "#app/auth/manage-admins.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { fileFault } from "#db/file-fault.server.ts";
import { findAdminByUsername } from "#db/queries/admins.server.ts";

const USAGE =
  "Usage: npm run admin:create -- --username U --email E   (password on standard input)";

const { username, email } = readArguments();
const password = await readPassword();
// An account can be made with the rest of the configuration broken.
const { env } = parseEnv({ ...process.env, NODE_ENV: "development" });
const weakness = await firstPasswordFault({ username, email, password }, env);
if (weakness) end(`The password ${weakness}.`);

let db: OpenDb | null = null;
try {
  db = openDb(env.databasePath);
  await migrate(db);
  const exists = findAdminByUsername(db, username) !== null;
  const change = exists ? setPassword : createAdmin;
  const done = await change({ db, now: Date.now }, { username, email, password });
  if (!done.ok) console.error(done.message);
  else if (exists) {
    console.log(
      `The password and the e-mail address of ${done.value.username} are set, and it has access as ${done.value.role}. ` +
        "The second factor is off, every session is ended, and codes mailed before are void.",
    );
  } else console.log(`The owner ${done.value.username} is made.`);
  process.exitCode = done.ok ? 0 : 1;
} catch (error) {
  const fault = fileFault("DATABASE_PATH", env.databasePath, error);
  if (fault === null) throw error;
  end(fault);
} finally {
  db?.close();
}

function readArguments(): { username: string; email: string } {
  const options = { username: { type: "string" }, email: { type: "string" } } as const;
  try {
    const { values } = parseArgs({ options });
    const username = values.username?.trim() ?? "";
    const email = values.email?.trim() ?? "";
    if (username === "") end(`--username is missing.\n${USAGE}`);
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) end(`--email must be an e-mail address.\n${USAGE}`);
    return { username, email };
  } catch (error) {
    return end(`${(error as Error).message}\n${USAGE}`);
  }
}

/** A person at a terminal is asked, and what they type is not shown. */
async function readPassword(): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  if (terminal) process.stderr.write("Password: ");
  const lines = createInterface({ input: process.stdin, terminal });
  const ended = once(lines, "close").then(() => [""]);
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  lines.close();
  if (terminal) process.stderr.write("\n");
  return line;
}

function end(message: string): never {
  console.error(message);
  process.exit(1);
}
