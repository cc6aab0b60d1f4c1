/** The server as a process that can be killed, the sandbox around it that lives on, what fails, and the trace. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SwitchSetting } from "#scripts/sandbox/switches.ts";
import { startTestApp } from "#tests/helpers/app.ts";
import type { ServerProcess } from "#tests/helpers/server-process.ts";
import type { Dice } from "./dice.ts";

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

/** How long faults come and go, in milliseconds; the histories begin in its first part. */
const STORM_MS = 7_000;
/** A call that does not come must not keep a kill from happening. */
const LONGEST_WATCH_MS = 800;

/** WhatsApp codes of every kind of action: temporary, for good, and a broken account. */
const WHATSAPP_CODES = [131000, 131016, 130429, 131056, 131026, 131049, 132015, 190, 131042];

/** Each with its value, null for none. */
const FAULTS = {
  api: (dice: Dice) =>
    dice.pick<Fault>([
      ["api_html_error", dice.pick([500, 502, 504])],
      ["api_json_error", dice.pick([500, 503])],
      ["api_429", null],
      ["api_429_retry_after", 1],
      ["api_empty", null],
      ["api_null", null],
      ["api_401", null],
      ["api_reset", null],
      ["api_slow", dice.between(100, 900)],
      ["api_hang", 1],
    ]),
  lost: (dice: Dice): Fault => [
    dice.pick(["order_answer_lost", "answer_lost", "refund_answer_lost"]),
    dice.pick(["reset", "500", 1]),
  ],
  refund: (dice: Dice) =>
    dice.pick<Fault>([
      ["refund_409_in_progress", null],
      ["refund_409_different", null],
      ["refund_low_balance", null],
      ["refund_invalid_request", null],
      ["refund_slow", dice.between(200, 1_500)],
      ["refund_remember_errors", null],
      ["refund_starts_pending", 10],
      ["refund_stays_pending", null],
      ["refund_fails_later", 10],
      ["refund_only_processed_event", null],
    ]),
  webhook: (dice: Dice) =>
    dice.pick<Fault>([
      ["webhook_off", null],
      ["webhook_delay", dice.between(10, 120)],
      ["webhook_duplicate", null],
      ["webhook_duplicate_new_id", null],
      ["webhook_shuffle", null],
      ["webhook_old_secret", null],
      ["webhook_wrong_signature", null],
      ["webhook_unsigned", null],
      ["webhook_escaped", dice.pick(["raw", "escaped"])],
    ]),
  mail: (dice: Dice) =>
    dice.pick<Fault>([
      ["smtp_451", null],
      ["smtp_550", null],
      ["smtp_hang", 1],
      ["smtp_answer_lost", null],
      ["smtp_refuse", null],
    ]),
  whatsapp: (dice: Dice) =>
    dice.pick<Fault>([
      ["whatsapp_error", dice.pick(WHATSAPP_CODES)],
      ["whatsapp_status_failed", dice.pick([131026, 131000])],
      ["whatsapp_no_status", null],
      ["whatsapp_duplicate_status", null],
      ["whatsapp_hang", 1],
      ["whatsapp_html_error", null],
      ["whatsapp_answer_lost", null],
    ]),
};
type Fault = [name: SwitchSetting["name"], value: string | number | null];

/** Turns switches on and off; the answer stops it and turns everything off. */
export function beginWeather(dice: Dice, { sandbox, note }: World): () => void {
  const { switches } = sandbox;
  const timers: NodeJS.Timeout[] = [];
  // A round under a clear sky shows what kills alone do.
  const end = dice.often(0.08) ? 0 : STORM_MS;
  for (let at = dice.between(0, 500); at < end; at += dice.between(150, 700)) {
    const forMs = dice.between(300, 1_800);
    const probability = dice.pick([0.2, 0.5, 0.8, 1]);
    const area = dice.weighted({
      api: 22,
      lost: 20,
      refund: 18,
      webhook: 22,
      mail: 14,
      whatsapp: 12,
    });
    const faults = [FAULTS[area](dice)];
    if (area === "webhook" && dice.often(0.3)) {
      faults.splice(0, 1, ["webhook_shuffle", null], ["webhook_duplicate", null]);
    }
    for (const [name, value] of faults) {
      const setting = name === "smtp_refuse" ? { name } : { name, probability };
      timers.push(
        setTimeout(() => {
          switches.set(value === null ? setting : { ...setting, value });
          note("weather", `on: ${name} ${value ?? ""} p=${probability}`);
        }, at),
        setTimeout(() => {
          switches.clear(name);
          note("weather", `off: ${name}`);
        }, at + forMs),
      );
    }
  }
  return () => {
    for (const timer of timers) clearTimeout(timer);
    switches.clear();
    note("weather", "all switches off");
  };
}

const CALLS = {
  order: /^POST \/v1\/orders$/,
  refund: /^POST \/v1\/payments\/\w+\/refund$/,
  payment: /^GET \/v1\/(payments|orders)\//,
} as const;
type Call = keyof typeof CALLS | "mail" | "message";

/**
 * Kills the server as often as asked for, at a moment or just as it calls the outside, and for every
 * fourth kill asks it to end as at a new version; resolves after the last start.
 */
export async function runOutages(dice: Dice, kills: number, world: World): Promise<void> {
  for (let i = 0; i < kills + Math.floor(kills / 4); i++) {
    await sleep(dice.between(50, 1_300));
    const call = dice.pick<Call>(["order", "refund", "payment", "mail", "message"]);
    const isAnyMoment = dice.often(0.35);
    if (!isAnyMoment) await nextCall(world, call);
    await sleep(dice.often(0.5) ? 0 : dice.between(1, 60));
    if (i % 5 === 4) await world.end();
    else await world.kill(isAnyMoment ? "a moment" : call);
    await sleep(dice.often(0.8) ? 0 : dice.between(50, 600));
    await world.start();
  }
}

async function nextCall({ sandbox }: World, kind: Call): Promise<void> {
  const { requests, mailbox, whatsapp } = sandbox;
  const count = () => {
    if (kind === "mail") return mailbox.list().length;
    if (kind === "message") return whatsapp.messages.length;
    return requests.filter(({ method, path }) => CALLS[kind].test(`${method} ${path}`)).length;
  };
  const deadline = Date.now() + LONGEST_WATCH_MS;
  for (const before = count(); count() === before && Date.now() < deadline; ) await sleep(2);
}
