/** Killed while it starts for the first time: the file is never left half made. */
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDb } from "#db/connection.server.ts";
import { spawnNode } from "#scripts/process/child-processes.ts";
import { freePort } from "#scripts/process/ports.ts";
import { apiOf } from "#tests/helpers/api-client.ts";
import { ADMIN, type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import { startServerProcess } from "#tests/helpers/server-process.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";

const ROOT = join(import.meta.dirname, "../..");

const sandbox = sharedSandbox();
const folder = scratchFolder();

async function killedAfter(env: Environment, ms: number): Promise<void> {
  const child = spawnNode(["scripts/serve.mjs"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const exit = once(child, "exit");
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill("SIGKILL");
  await exit;
}

it("starts whole after any number of kills", async () => {
  const path = join(folder, "first.db");
  const env = testEnvironment(await freePort(), path, sandbox);
  for (let ms = 150; ms <= 600; ms += 90) await killedAfter(env, ms);
  const server = await startServerProcess(env);
  try {
    const { username, password } = ADMIN;
    const login = await apiOf(server.origin)("/api/admin/login", { json: { username, password } });
    expect(login.status).toBe(200);
    const db = openDb(path);
    expect(db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(db.allRaw("SELECT username FROM admin")).toEqual([{ username }]);
    db.close();
  } finally {
    expect(await server.stop()).toBe(0);
  }
});
