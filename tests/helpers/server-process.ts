/** The built server as a process of its own, as `npm run serve` runs it; it can be killed. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { hasExited, spawnNode, stopChild } from "#scripts/process/child-processes.ts";
import { smallMemory } from "#scripts/process/node-runtime.mjs";
import type { Environment } from "./environment.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Milliseconds from the spawn to the first listening. */
const START_LIMIT = 20_000;

/** What is kept of the output, for the message of a failed start and for tests. */
const KEPT_OUTPUT = 200_000;

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>;

export async function startServerProcess(env: Environment, script = "scripts/serve.mjs") {
  const child = spawnNode([script], {
    cwd: ROOT,
    // Of the test's own environment only what a process needs to run at all.
    env: smallMemory({ PATH: process.env.PATH, HOME: process.env.HOME, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const take = (chunk: Buffer) => {
    output = (output + chunk).slice(-KEPT_OUTPUT);
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  const ready = await readyMessage(child);
  if (!ready) {
    await stopChild(child);
    throw new Error(`The server did not start (status ${child.exitCode}):\n${output}`);
  }
  return {
    child,
    origin: ready.origin,
    pid: child.pid!,
    /** Standard output and error so far, the newest 200,000 characters. */
    output: () => output,
    /** Ends it as a supervisor would; answers its exit status. */
    async stop() {
      await stopChild(child);
      return child.exitCode;
    },
    /** SIGKILL: nothing is finished, nothing is closed. */
    async kill() {
      if (hasExited(child)) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Null if it ended, or did not listen in time. */
async function readyMessage(child: ChildProcess): Promise<{ origin: string } | null> {
  const limit = AbortSignal.timeout(START_LIMIT);
  try {
    return await Promise.race([
      once(child, "message", { signal: limit }).then(([message]) => message),
      // After `close` its last words have arrived too.
      once(child, "close", { signal: limit }).then(() => null),
    ]);
  } catch {
    return null;
  }
}
