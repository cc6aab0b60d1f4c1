/** The server as a process that can be killed, and the sandbox around it that lives on. */
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import { startTestApp } from "#tests/helpers/app.ts";
import type { ServerProcess } from "#tests/helpers/server-process.ts";
import type { Diary } from "./diary.ts";
import { CLOCK_SCALE, HOLD_MS, PAYMENT_WINDOW_MS } from "./plan.ts";

const SECRETS = ["sandbox_hook_secret_1", "sandbox_hook_secret_0"];

export interface World {
  readonly origin: string;
  readonly databasePath: string;
  readonly sandbox: Sandbox;
  readonly diary: Diary;
  /** Resolves as soon as a server process serves. */
  serving(): Promise<void>;
  /** Kills so far. */
  readonly kills: number;
  /** Processes that were gone before anybody killed or ended them. */
  readonly crashes: number;
  /** How each end went that was asked for. */
  readonly ends: readonly { status: number | null; ms: number }[];
  /** What all server processes wrote so far. */
  output(): string;
  kill(reason: string): Promise<void>;
  /** Ends it as a supervisor would. */
  end(): Promise<void>;
  /** On the same port and file. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(diary: Diary, seed: number): Promise<World> {
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
  let isServing = true;
  let written = "";
  let kills = 0;
  let crashes = 0;
  const ends: { status: number | null; ms: number }[] = [];
  let waiting: (() => void)[] = [];
  /** From now on nobody calls it; what it still writes is read when it has ended. */
  const leave = async (way: (leaving: ServerProcess) => Promise<unknown>) => {
    const leaving = app.server!;
    isServing = false;
    if (!isAlive(leaving.pid)) crashes += 1;
    await way(leaving);
    written += leaving.output();
  };
  return {
    origin: app.origin,
    databasePath: app.env.DATABASE_PATH!,
    sandbox: app.sandbox,
    diary,
    get kills() {
      return kills;
    },
    get crashes() {
      return crashes;
    },
    ends,
    output: () => written + (isServing ? app.server!.output() : ""),
    async kill(reason) {
      if (!isServing) return;
      diary.note("server", `killed (${reason})`);
      kills += 1;
      await leave((leaving) => leaving.kill());
    },
    async end() {
      if (!isServing) return;
      const asked = Date.now();
      diary.note("server", "asked to end");
      await leave(async (leaving) => {
        const status = await leaving.stop();
        ends.push({ status, ms: Date.now() - asked });
        diary.note("server", `ended with status ${status}`);
      });
    },
    serving() {
      return isServing ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
    async start() {
      if (!isServing) await app.restart();
      isServing = true;
      diary.note("server", "serves");
      for (const go of waiting) go();
      waiting = [];
    },
    close: () => app.stop(),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
