/** Starts the built app with a sandbox of its own and a fresh database, on free ports. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { newId } from "#app/model/ids.ts";
import type { OpenDb } from "#db/connection.server.ts";
import { insertAdmin } from "#db/queries/admins.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { freePort } from "#scripts/process/ports.ts";
import type { SandboxOptions } from "#scripts/sandbox/options.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { forgetPowerCuts, freshDb } from "#tests/support/fresh-db.ts";
import { apiOf } from "./api-client.ts";
import { ADMIN, type Environment, testEnvironment } from "./environment.ts";
import { startServerProcess } from "./server-process.ts";

const BUILT = join(import.meta.dirname, "../../build/server/index.js");

/** Of ADMIN.password. */
const QUICK_HASH =
  "$argon2id$v=19$m=8,t=1,p=1$x2h4hoAw0RuPOJFfGIZy5A$YlYj3Je4M33zMaQA9XGorzX1kJfMihohwQfHDXhYNW0";

export interface TestAppOptions {
  /** Wins over the environment of tests; undefined unsets a variable. */
  env?: Environment | ((sandbox: Sandbox) => Environment);
  sandbox?: SandboxOptions;
  /** A process of its own can be killed and started again; without, the app runs in this one. */
  separateProcess?: boolean;
  /** The app's clock, in milliseconds; only in this process. */
  now?: () => number;
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** What `build/server/index.js` exports. */
interface BuiltServer {
  start(options: {
    env: Environment;
    now?: () => number;
    watchdog: false;
  }): Promise<{ deps: { db: OpenDb }; close(): Promise<void> }>;
}

export async function startTestApp(options: TestAppOptions = {}) {
  if (!existsSync(BUILT)) throw new Error("There is no build: `npm run build` makes it.");
  const folder = mkdtempSync(join(tmpdir(), "captain-sessions-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({
    webhookUrl: `${origin}/webhooks/razorpay`,
    whatsappWebhookUrl: `${origin}/webhooks/whatsapp`,
    ...options.sandbox,
  });
  const path = join(folder, "test.db");
  const own = typeof options.env === "function" ? options.env(sandbox) : options.env;
  const env: Environment = { ...testEnvironment(port, path, sandbox), ...own };
  const db = await preparedDb(env);
  let running: Awaited<ReturnType<typeof run>>;
  try {
    running = await run(env, options);
  } catch (error) {
    db.close();
    await sandbox.close();
    throw error;
  }
  return {
    origin,
    env,
    sandbox,
    /** A second connection to the app's file. */
    db,
    api: apiOf(origin),
    /** The app's own connection, where it runs in this process. */
    get own() {
      return running.own;
    },
    /** Only with `separateProcess`. */
    get server() {
      return running.server;
    },
    /** Starts the app again on the same port and file; the sandbox goes on. */
    async restart(changes: Environment = {}): Promise<void> {
      await running.close();
      Object.assign(env, changes);
      running = await run(env, options);
    },
    async stop(): Promise<void> {
      db.close();
      await running.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The environment's file as an earlier start left it, with its admin and an empty file in place of a
 * backup of just now. A server that makes it itself takes twice the time to start. The password's hash
 * has the least cost there is, so that a test may try fifty; what one costs is tested beside the hashing.
 */
export async function preparedDb({ DATABASE_PATH, BACKUP_DIR }: Environment): Promise<OpenDb> {
  const db = await freshDb(DATABASE_PATH!);
  const { username, email } = ADMIN;
  const now = Date.now();
  const row = { id: newId(), username, email, passwordHash: QUICK_HASH };
  insertAdmin(db, { ...row, createdAt: now, updatedAt: now });
  writeSetting(db, "last_backup_try", String(now));
  writeSetting(db, "last_backup", JSON.stringify({ at: now, bytes: 400_000, ms: 40 }));
  if (BACKUP_DIR) {
    mkdirSync(BACKUP_DIR, { recursive: true, mode: 0o700 });
    writeFileSync(join(BACKUP_DIR, "bookings-20260101T000000Z.db"), "", { mode: 0o600 });
  }
  return db;
}

async function run(env: Environment, options: TestAppOptions) {
  if (options.separateProcess) {
    const server = await startServerProcess(env);
    return { server, own: null, close: () => server.stop() };
  }
  const { start } = (await import(pathToFileURL(BUILT).href)) as BuiltServer;
  // A test may keep its own event loop busy for long.
  const { deps, close } = await start({ env, now: options.now, watchdog: false });
  forgetPowerCuts(deps.db);
  return { server: null, own: deps.db, close };
}
