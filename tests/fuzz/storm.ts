/**
 * Throws hostile requests at a server of its own while the watch asks for its health. Of a server that
 * was late, ended or grew, a finding names the requests that were under way.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import type { TestApp } from "#tests/helpers/app.ts";
import { bytesOf, describeShot, faultOf, fire, type Reply, type Shot } from "./shot.ts";
import { clock, Watch } from "./watch.ts";

const SENDERS = 6;
/** Requests held open at the same time. */
const MOST_SLOW = 40;
/** How many are made at once. */
const SAMPLE = 240;
/** Rounds of ordinary journeys before the storm. */
const WARM_UP = 3;
const MOST_FINDINGS = 12;
/** Of the requests under way, how many a finding shows. */
const MOST_SHOWN = 8;
/** Between two looks at what the watch has seen, in milliseconds. */
const LOOK_MS = 200;
/** The longest that memory is left to find its size, in milliseconds. */
const MOST_WARM_MS = 60_000;
const MOST_GROWTH = 100 * 2 ** 20;
/** Between two collections of the server's garbage, in milliseconds: each holds it up a little. */
const WEIGH_MS = 10_000;
/** An open question to `/health` after which the server is taken for lost, in milliseconds. */
const LOST_MS = 15_000;
const FOLDER = "test-results/fuzz";

export interface StormOptions {
  seed: number;
  /** Of the nth sample. */
  arbitrary(sample: number): fc.Arbitrary<Shot>;
  /** What every request is sent with. */
  headers(): Record<string, string>;
  /**
   * A customer on the way from form to invoice; answers what went wrong. Made before memory is
   * measured, and again and again beside the storm.
   */
  journey(): Promise<string | null>;
}

/** Until `ms` are over, there is more wrong than needs be known, or the server is lost. */
export async function storm(app: TestApp, ms: number, options: StormOptions) {
  const { seed, arbitrary, headers, journey } = options;
  const port = Number(new URL(app.origin).port);
  const { pid } = app.server!;
  // Side by side, so that every thread that makes documents is there.
  for (let i = 0; i < WARM_UP; i++) await Promise.all([1, 2, 3].map(() => journey()));
  const watch = new Watch({
    port,
    pid,
    // An address of its own, where a machine has more than one on loopback.
    ...(process.platform === "linux" && { localAddress: "127.0.0.2" }),
  });
  /** Each kind once, printed as soon as it is found. */
  const findings: string[] = [];
  const statuses: Record<string, number> = {};
  let shots = 0;
  /** The most that the memory held, without garbage, grew after warm-up, in bytes. */
  let growth = 0;
  /** Bytes of memory held after warm-up; null before its end. */
  let floor: number | null = null;
  let recent: { shot: Shot; reply: Reply | null; from: number }[] = [];

  const isAlive = () => {
    try {
      return process.kill(pid, 0) && watch.openMs < LOST_MS;
    } catch {
      return false;
    }
  };
  /** Until the watch had two answers to questions asked from now on, or the server is lost. */
  async function answered(): Promise<void> {
    const { answers } = watch.figures;
    const limit = clock() + 4 * LOST_MS;
    while (watch.figures.answers <= answers + 2 && isAlive() && clock() < limit) await pause(10);
  }
  /** Two findings of one signature are one. Without a request those shown that were under way. */
  function add(what: string, shot: Shot | null, from = clock(), until = clock()): void {
    const plain = what.replace(/\d+ (ms|MB).*$/, "…");
    const signature = shot ? `${plain}: ${shot.kind} ${shot.method} ${shot.target}` : plain;
    if (findings.includes(signature)) return;
    findings.push(signature);
    console.log(`FOUND after ${shots} requests (seed ${seed}): ${what}`);
    mkdirSync(FOLDER, { recursive: true });
    for (const [i, one] of (shot ? [shot] : underWay(from, until)).entries()) {
      const file = `${FOLDER}/${seed}-${findings.length}-${i}.http`;
      writeFileSync(file, bytesOf(one));
      console.log(`· ${describeShot(one)}\nIts bytes stand in ${file}.`);
    }
  }
  /** Who was left without an answer or waited longest first, last who means to take long. */
  const underWay = (from: number, until: number) =>
    recent
      .map(({ shot, reply, from: at }) => {
        const end = reply?.until ?? clock();
        return { shot, at, end, waited: shot.delivery ? 0 : end - at };
      })
      .filter(({ at, end }) => at < until && end > from - 500)
      .sort((a, b) => b.waited - a.waited)
      .slice(0, MOST_SHOWN)
      .map(({ shot }) => shot);

  await answered();
  const endsAt = clock() + ms;
  let weighAt = clock() + Math.max(4_000, Math.min(ms / 5, MOST_WARM_MS));
  const isOver = () => clock() > endsAt || findings.length >= MOST_FINDINGS || !isAlive();

  async function travel(): Promise<void> {
    while (!isOver()) {
      // One that was cut off by the end of the server is no finding of its own.
      const wrong = await journey().catch(() => null);
      if (wrong) add(wrong, null);
    }
  }
  let queue: Shot[] = [];
  let samples = 0;
  function next(): Shot {
    if (queue.length === 0) {
      const sample = samples++;
      queue = fc.sample(arbitrary(sample), { seed: seed * 100_003 + sample, numRuns: SAMPLE });
    }
    const shot = queue.shift()!;
    return { ...shot, headers: [...shot.headers, ...Object.entries(headers())] };
  }
  async function shoot(shot: Shot): Promise<void> {
    const fired: (typeof recent)[number] = { shot, reply: null, from: clock() };
    recent.push(fired);
    shots += 1;
    const reply = await fire(port, shot);
    fired.reply = reply;
    const key = `${shot.kind} ${reply.statuses.join("+") || "closed"}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
    const fault = faultOf(shot, reply);
    if (!fault) return;
    await answered();
    // Of a server that died, every request was left without an answer.
    if (isAlive()) add(fault, shot);
  }
  const slow = new Set<Promise<void>>();
  /** One request after the other; those that take their time are left behind. */
  async function send(): Promise<void> {
    while (!isOver()) {
      const shot = next();
      const done = shoot(shot);
      if (!shot.delivery) {
        await done;
        continue;
      }
      slow.add(done);
      void done.then(() => slow.delete(done));
      if (slow.size >= MOST_SLOW) await Promise.race(slow);
    }
  }
  /** Warm-up is a fifth of the time: code is compiled, threads are made, caches are filled. */
  async function weigh(): Promise<void> {
    process.kill(pid, "SIGUSR2");
    await answered();
    const held = watch.figures.bytes;
    const grown = held - (floor ?? held);
    growth = Math.max(growth, grown);
    if (grown > MOST_GROWTH) {
      add(`memory grew by ${Math.round(grown / 2 ** 20)} MB`, null);
      floor = null;
    }
    floor ??= held;
    weighAt = clock() + WEIGH_MS;
  }
  /** Was the server late, has it ended, has it grown? */
  async function judge(): Promise<void> {
    for (const { what, from, until } of watch.breaches.splice(0)) add(what, null, from, until);
    if (!isAlive()) add("the server ended, or hung", null, clock() - LOST_MS);
    const old = clock() - 5_000;
    recent = recent.filter(({ reply }) => !reply || reply.until > old);
    if (isAlive() && clock() > weighAt) await weigh();
  }

  let isDone = false;
  const senders = [travel(), ...Array.from({ length: SENDERS }, send)];
  void Promise.all(senders).then(() => {
    isDone = true;
  });
  while (!isDone) {
    await pause(LOOK_MS);
    await judge();
  }
  // What is held open still is no reason to wait: all that follows has to go beside it.
  await answered();
  weighAt = 0;
  await judge();
  await watch.stop();
  return { findings, statuses, shots, growth, ...watch.figures };
}
