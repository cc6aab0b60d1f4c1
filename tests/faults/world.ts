/** The server as a process that can be killed, the sandbox around it that lives on, and the trace of both. */
import { startTestApp } from "#tests/helpers/app.ts";
import type { ServerProcess } from "#tests/helpers/server-process.ts";

const SECRETS = ["sandbox_hook_secret_1", "sandbox_hook_secret_0"];
/** The app's own limits here: short, so that holds really end and money really is late. */
export const HOLD_MS = 2_000;
const PAYMENT_WINDOW_MS = 1_200;
/** Sandbox time runs this many times faster than the wall's. */
const CLOCK_SCALE = 30;

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(seed: number) {
  const app = await startTestApp({
    separateProcess: true,
    sandbox: { webhookSecrets: SECRETS, clockScale: CLOCK_SCALE, seed },
    env: {
      RAZORPAY_WEBHOOK_SECRET: SECRETS.join(","),
      HOLD_SECONDS: String(HOLD_MS / 1000),
      PAYMENT_WINDOW_SECONDS: String(PAYMENT_WINDOW_MS / 1000),
      RECONCILE_AFTER_SECONDS: "1",
      WORKER_INTERVAL_MS: "50",
    },
  });
  // With nobody else at the file, the start after a kill recovers it.
  app.db.close();
  const began = Date.now();
  let isServing = true;
  let written = "";
  let serving = Promise.resolve();
  let startServing = () => {};
  /** From now on nobody calls it; what it still writes is read when it has ended. */
  const leave = async (way: (leaving: ServerProcess) => Promise<unknown>) => {
    const leaving = app.server!;
    serving = new Promise((resolve) => {
      startServing = resolve;
    });
    isServing = false;
    if (!isAlive(leaving.pid)) world.crashes += 1;
    await way(leaving);
    written += leaving.output();
  };
  const world = {
    origin: app.origin,
    databasePath: app.env.DATABASE_PATH!,
    sandbox: app.sandbox,
    kills: 0,
    /** Processes that were gone before anybody killed or ended them. */
    crashes: 0,
    /** How each end went that was asked for. */
    ends: [] as { status: number | null; ms: number }[],
    /** What all server processes wrote so far. */
    output: () => written + (isServing ? app.server!.output() : ""),
    /** What was done and seen, in order; `who` is a history, or the part of the world that acted. */
    trace: [] as { who: string; line: string }[],
    note(who: string, text: string): void {
      const ms = String(Date.now() - began).padStart(6);
      world.trace.push({ who, line: `${ms} ms  ${who}: ${text}` });
    },
    /** Resolves as soon as a server process serves. */
    serving: () => serving,
    async kill(reason: string): Promise<void> {
      world.note("server", `killed (${reason})`);
      world.kills += 1;
      await leave((leaving) => leaving.kill());
    },
    /** Ends it as a supervisor would. */
    async end(): Promise<void> {
      const asked = Date.now();
      world.note("server", "asked to end");
      await leave(async (leaving) => {
        const status = await leaving.stop();
        world.ends.push({ status, ms: Date.now() - asked });
        world.note("server", `ended with status ${status}`);
      });
    },
    /** On the same port and file. */
    async start(): Promise<void> {
      await app.restart();
      isServing = true;
      world.note("server", "serves");
      startServing();
    },
    close: () => app.stop(),
  };
  return world;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
