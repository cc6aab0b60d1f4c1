/** The server as a process that can be killed, and the sandbox around it that lives on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#scripts/process/ports.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import { type ServerProcess, startServerProcess } from "#tests/helpers/server-process.ts";
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
  const folder = mkdtempSync(join(tmpdir(), "captain-faults-"));
  const databasePath = join(folder, "faults.db");
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({
    webhookUrl: `${origin}/webhooks/razorpay`,
    whatsappWebhookUrl: `${origin}/webhooks/whatsapp`,
    webhookSecrets: SECRETS,
    clockScale: CLOCK_SCALE,
    seed,
  });
  const env: Environment = {
    ...testEnvironment(port, databasePath, sandbox),
    RAZORPAY_WEBHOOK_SECRET: SECRETS.join(","),
    HOLD_SECONDS: String(HOLD_MS / 1000),
    PAYMENT_WINDOW_SECONDS: String(PAYMENT_WINDOW_MS / 1000),
    RECONCILE_AFTER_SECONDS: "1",
    WORKER_INTERVAL_MS: "50",
  };
  let server: ServerProcess | null = null;
  let written = "";
  let kills = 0;
  let crashes = 0;
  const ends: { status: number | null; ms: number }[] = [];
  let waiting: (() => void)[] = [];
  /** From now on nobody calls it; what it still writes is read when it has ended. */
  const leave = async (leaving: ServerProcess, way: () => Promise<unknown>) => {
    server = null;
    if (!isAlive(leaving.pid)) crashes += 1;
    await way();
    written += leaving.output();
  };
  const world: World = {
    origin,
    databasePath,
    sandbox,
    diary,
    get kills() {
      return kills;
    },
    get crashes() {
      return crashes;
    },
    ends,
    output: () => written + (server?.output() ?? ""),
    async kill(reason) {
      const leaving = server;
      if (!leaving) return;
      diary.note("server", `killed (${reason})`);
      kills += 1;
      await leave(leaving, () => leaving.kill());
    },
    async end() {
      const leaving = server;
      if (!leaving) return;
      const asked = Date.now();
      diary.note("server", "asked to end");
      await leave(leaving, async () => {
        const status = await leaving.stop();
        ends.push({ status, ms: Date.now() - asked });
        diary.note("server", `ended with status ${status}`);
      });
    },
    serving() {
      return server ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
    async start() {
      server ??= await startServerProcess(env);
      diary.note("server", "serves");
      for (const go of waiting) go();
      waiting = [];
    },
    async close() {
      await world.end();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await world.start();
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  return world;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
