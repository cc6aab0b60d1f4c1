import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "#scripts/process/ports.ts";
import { preparedDb } from "#tests/helpers/app.ts";
import { testEnvironment } from "#tests/helpers/environment.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";
import { start, startNpm } from "./command-process.ts";

/** As the npm command ends in. */
const SERVE = [process.execPath, ["scripts/serve.mjs"]] as const;

const folder = scratchFolder();
const sandbox = sharedSandbox();

async function environment() {
  const port = await freePort();
  const env = testEnvironment(port, join(folder, `${port}.db`), sandbox);
  (await preparedDb(env)).close();
  return { ...env, LOG_LEVEL: "info" };
}

function childrenOf(pid: number): number[] {
  return execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
}

// Side by side, for a server that is asked to end takes its time.
describe.concurrent("npm run serve", () => {
  test("SIGTERM while a request hangs ends it within 10 s with status 0", async () => {
    const env = await environment();
    const command = startNpm(["run", "serve"], env);
    await command.waitFor("serving");
    // The script ends in exec, so npm's one child is the server.
    expect(childrenOf(command.pid)).toHaveLength(1);
    // The server asks for the body, of which only the beginning comes.
    const hanging = request(`${env.PUBLIC_URL}/api/appointments`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Expect: "100-continue" },
    }).on("error", () => {});
    hanging.flushHeaders();
    await once(hanging, "continue");
    hanging.write("{");
    const asked = performance.now();
    command.kill("SIGTERM");
    expect(await command.exit).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
    hanging.destroy();
  });

  /** A process group of its own, as a container has: what it runs is process 1 there. */
  const UNSHARE = ["--map-root-user", "--pid", "--fork", "--kill-child"];
  const canUnshare = spawnSync("unshare", [...UNSHARE, "true"]).status === 0;

  test.runIf(canUnshare)("the first process of a container can end, and so can it", async () => {
    for (const [signal, status] of [
      ["SIGKILL", 137],
      ["SIGTERM", 0],
    ] as const) {
      const args = [...UNSHARE, process.execPath, "scripts/serve.mjs"];
      const command = start("unshare", args, await environment());
      await command.waitFor('"serving"');
      const [first] = childrenOf(command.pid);
      const [server] = childrenOf(first!);
      process.kill(signal === "SIGKILL" ? server! : first!, signal);
      expect(await command.exit, command.output()).toBe(status);
    }
  });

  test("a wrong and a missing value stop it with status 1 and a line each", async () => {
    // A blank mode is none, which is production.
    const wrong = { NODE_ENV: " ", SMTP_URL: undefined, BUSINESS_STATE: "99" };
    const env = { ...(await environment()), ...wrong };
    const command = start(...SERVE, env);
    expect(await command.exit).toBe(1);
    const lines = command.output().split("\n");
    expect(lines.filter((line) => line.startsWith("SMTP_URL "))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("BUSINESS_STATE "))).toHaveLength(1);
    expect(command.output()).not.toMatch(/^\s+at /m);
  });

  test("a HOST without an address is reported in one line", async () => {
    const env = { ...(await environment()), HOST: "no.host.invalid" };
    const command = start(...SERVE, env);
    expect(await command.exit).toBe(1);
    expect(command.output()).toMatch(/^HOST no\.host\.invalid cannot be listened on \(\w+\)\.$/m);
    expect(command.output()).not.toMatch(/^\s+at /m);
  });
});
