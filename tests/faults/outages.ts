/** When the server process is killed, at a moment or just as it calls the outside, or asked to end. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "./dice.ts";
import type { World } from "./world.ts";

export interface Outage {
  /** SIGTERM, as at a new version; else SIGKILL. */
  gentle: boolean;
  /** Milliseconds that it serves before. */
  serves: number;
  /** Waits for the next call of this kind and strikes a moment after; null: at once. */
  during: "order" | "refund" | "payment" | "mail" | "message" | null;
  /** Milliseconds between that call and the kill. */
  after: number;
  /** Milliseconds until it is started again. */
  down: number;
}

/** A call that does not come must not keep a kill from happening. */
const LONGEST_WATCH_MS = 800;

const CALLS = {
  order: /^POST \/v1\/orders$/,
  refund: /^POST \/v1\/payments\/\w+\/refund$/,
  payment: /^GET \/v1\/(payments|orders)\//,
} as const;

/** As many kills as asked for, and a gentle end for every fourth. */
export function planOutages(dice: Dice, kills: number): Outage[] {
  return Array.from({ length: kills + Math.floor(kills / 4) }, (_, i) => ({
    gentle: i % 5 === 4,
    serves: dice.between(50, 1_300),
    during: dice.often(0.35)
      ? null
      : dice.pick(["order", "refund", "payment", "mail", "message"] as const),
    after: dice.often(0.5) ? 0 : dice.between(1, 60),
    down: dice.often(0.8) ? 0 : dice.between(50, 600),
  }));
}

/** Kills and starts again as planned; resolves after the last start. */
export async function runOutages(plan: readonly Outage[], world: World): Promise<void> {
  for (const { gentle, serves, during, after, down } of plan) {
    await sleep(serves);
    if (during !== null) await nextCall(world, during);
    await sleep(after);
    if (gentle) await world.end();
    else await world.kill(during ?? "a moment");
    await sleep(down);
    await world.start();
  }
}

async function nextCall(world: World, kind: NonNullable<Outage["during"]>): Promise<void> {
  const { requests, mailbox, whatsapp } = world.sandbox;
  const count = () => {
    if (kind === "mail") return mailbox.list().length;
    if (kind === "message") return whatsapp.messages.length;
    return requests.filter(({ method, path }) => CALLS[kind].test(`${method} ${path}`)).length;
  };
  const deadline = Date.now() + LONGEST_WATCH_MS;
  for (const before = count(); count() === before && Date.now() < deadline; ) await sleep(2);
}
