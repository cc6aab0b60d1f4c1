/**
 * Throws hostile requests at a server of its own while the watch asks for its health. Of a server that
 * was late, ended or grew, a finding names the requests that were under way.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import type { TestApp } from "#tests/helpers/app.ts";
import { bytesOf, describeShot, faultOf, fire, type Reply, type Shot } from "./shot.ts";
import { type Breach, clock, Watch } from "./watch.ts";

interface Fired {
  shot: Shot;
  reply: Reply | null;
  from: number;
}

const SENDERS = 6;
/** Requests held open at the same time. */
const MOST_SLOW = 40;
/** How many are made at once. */
const SAMPLE = 60;
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
  arbitrary: fc.Arbitrary<Shot>;
  /** Puts into a request what only this server knows; asked once for each. */
  load(shot: Shot): Shot;
  /**
   * A customer on the way from form to invoice; answers what went wrong. Made before memory is
   * measured, and again and again beside the storm.
   */
  journey(): Promise<string | null>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Storm {
  /** Each kind once, printed as soon as it is found. */
  readonly findings: string[] = [];
  readonly statuses: Record<string, number> = {};
  shots = 0;
  /** The most that the memory held, without garbage, grew after warm-up, in bytes. */
  growth = 0;
  watch!: Watch;
  readonly #app: TestApp;
  readonly #options: StormOptions;
  readonly #known = new Set<string>();
  #startedAt = 0;
  #endsAt = 0;
  #warmUntil = 0;
  /** Bytes of memory held after warm-up; null before its end. */
  #floor: number | null = null;
  #weighAt = 0;
  #queue: Shot[] = [];
  #samples = 0;
  #recent: Fired[] = [];
  readonly #slow = new Set<Promise<void>>();

  constructor(app: TestApp, options: StormOptions) {
    this.#app = app;
    this.#options = options;
  }

  /** Until `ms` are over, there is more wrong than needs be known, or the server is lost. */
  async run(ms: number): Promise<void> {
    // Side by side, so that every thread that makes documents is there.
    for (let i = 0; i < WARM_UP; i++) {
      await Promise.all([1, 2, 3].map(() => this.#options.journey()));
    }
    this.watch = new Watch({
      port: this.#port,
      pid: this.#app.server!.pid,
      // An address of its own, where a machine has more than one on loopback.
      ...(process.platform === "linux" && { localAddress: "127.0.0.2" }),
    });
    await this.#answered();
    this.#startedAt = clock();
    this.#warmUntil = clock() + Math.max(4_000, Math.min(ms / 5, MOST_WARM_MS));
    this.#endsAt = clock() + ms;
    let isDone = false;
    const senders = [this.#travel(), ...Array.from({ length: SENDERS }, () => this.#throw())];
    void Promise.all(senders).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await pause(LOOK_MS);
      await this.#judge();
    }
    // What is held open still is no reason to wait: all that follows has to go beside it.
    await this.#answered();
    this.#weighAt = 0;
    await this.#judge();
    await this.watch.stop();
  }

  get #port(): number {
    return Number(new URL(this.#app.origin).port);
  }

  get #isOver(): boolean {
    return clock() > this.#endsAt || this.findings.length >= MOST_FINDINGS || !this.#isAlive;
  }

  get #isAlive(): boolean {
    try {
      return process.kill(this.#app.server!.pid, 0) && this.watch.openMs < LOST_MS;
    } catch {
      return false;
    }
  }

  /** Until the watch had two answers to questions asked from now on, or the server is lost. */
  async #answered(): Promise<void> {
    const { answers } = this.watch.figures;
    const limit = clock() + 4 * LOST_MS;
    while (this.watch.figures.answers <= answers + 2 && this.#isAlive && clock() < limit) {
      await pause(10);
    }
  }

  async #travel(): Promise<void> {
    while (!this.#isOver) {
      // One that was cut off by the end of the server is no finding of its own.
      const wrong = await this.#options.journey().catch(() => null);
      if (wrong) this.#add(wrong, null);
    }
  }

  /** One request after the other; those that take their time are left behind. */
  async #throw(): Promise<void> {
    while (!this.#isOver) {
      const shot = this.#next();
      const done = this.#fire(shot);
      if (!shot.delivery) {
        await done;
        continue;
      }
      this.#slow.add(done);
      void done.then(() => this.#slow.delete(done));
      if (this.#slow.size >= MOST_SLOW) await Promise.race(this.#slow);
    }
  }

  #next(): Shot {
    const { arbitrary, seed, load } = this.#options;
    if (this.#queue.length === 0) {
      this.#queue = fc.sample(arbitrary, {
        seed: seed * 100_003 + this.#samples++,
        numRuns: SAMPLE,
      });
    }
    return load(this.#queue.shift()!);
  }

  async #fire(shot: Shot): Promise<void> {
    const fired: Fired = { shot, reply: null, from: clock() };
    this.#recent.push(fired);
    this.shots += 1;
    const reply = await fire(this.#port, shot);
    fired.reply = reply;
    const key = `${shot.kind} ${reply.statuses.join("+") || "closed"}`;
    this.statuses[key] = (this.statuses[key] ?? 0) + 1;
    const fault = faultOf(shot, reply);
    if (!fault) return;
    await this.#answered();
    // Of a server that died, every request was left without an answer.
    if (this.#isAlive) this.#add(fault, shot);
  }

  /** Was the server late, has it ended, has it grown? */
  async #judge(): Promise<void> {
    for (const breach of this.watch.breaches.splice(0)) {
      const { at, ms, whole, busy, status } = breach;
      const late = `${Math.round(ms)} ms (${Math.round(whole)} ms by the clock, ${Math.round(busy)} ms at work)`;
      if (status !== "200") this.#add(`/health: ${status}`, null, at, at + whole);
      else if (isAtWork(breach)) this.#add(`/health late by ${late}`, null, at, at + whole);
      else console.log(`/health late by ${late}: the server itself was not at work.`);
    }
    if (!this.#isAlive) this.#add("the server ended, or hung", null, clock() - LOST_MS);
    const old = clock() - 5_000;
    this.#recent = this.#recent.filter(({ reply }) => !reply || reply.until > old);
    if (this.#isAlive && clock() > Math.max(this.#warmUntil, this.#weighAt)) await this.#weigh();
  }

  /** Warm-up is a fifth of the time: code is compiled, threads are made, caches are filled. */
  async #weigh(): Promise<void> {
    process.kill(this.#app.server!.pid, "SIGUSR2");
    await this.#answered();
    const held = this.watch.figures.bytes;
    const growth = held - (this.#floor ?? held);
    this.growth = Math.max(this.growth, growth);
    if (growth > MOST_GROWTH) {
      this.#add(`memory grew by ${Math.round(growth / 2 ** 20)} MB`, null);
      this.#floor = null;
    }
    this.#floor ??= held;
    this.#weighAt = clock() + WEIGH_MS;
  }

  /** Two findings of one signature are one. Without a request those shown that were under way. */
  #add(what: string, shot: Shot | null, from = clock(), until = clock()): void {
    const plain = what.replace(/\d+ (ms|MB).*$/, "…");
    const signature = shot ? `${plain}: ${shot.kind} ${shot.method} ${shot.target}` : plain;
    if (this.#known.has(signature)) return;
    this.#known.add(signature);
    this.findings.push(signature);
    const seconds = ((clock() - this.#startedAt) / 1000).toFixed(1);
    const { seed } = this.#options;
    console.log(`FOUND after ${seconds} s and ${this.shots} requests (seed ${seed}): ${what}`);
    mkdirSync(FOLDER, { recursive: true });
    for (const [i, one] of (shot ? [shot] : this.#underWay(from, until)).entries()) {
      const file = `${FOLDER}/${seed}-${this.findings.length}-${i}.http`;
      writeFileSync(file, bytesOf(one));
      console.log(`· ${describeShot(one).slice(0, 1_500)}\nIts bytes stand in ${file}.`);
    }
  }

  /** Who was left without an answer first, then who took longest, last who means to. */
  #underWay(from: number, until: number): Shot[] {
    const rank = ({ shot, reply, from: at }: Fired) => {
      if (shot.delivery) return 2e15 - at;
      return reply?.statuses.length ? 1e15 - (reply.until - at) : -at;
    };
    return this.#recent
      .filter((one) => one.from < until && (one.reply?.until ?? clock()) > from - 500)
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MOST_SHOWN)
      .map(({ shot }) => shot);
  }
}

/** Else it waited for the machine's disk. Where nobody counts, it is taken for at work. */
function isAtWork({ busy, ms }: Breach): boolean {
  return busy === 0 || busy >= ms / 2;
}
