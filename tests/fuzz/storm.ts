/**
 * Throws hostile requests at a server of its own while the watch asks for its health, and finds out
 * which of them made it late, ended it, or was answered with a fault.
 */
import fc from "fast-check";
import type { TestApp } from "#tests/helpers/app.ts";
import { Findings, signature } from "./findings.ts";
import { describeShot, faultOf, fire, type Reply, type Shot } from "./shot.ts";
import { smaller } from "./shrink.ts";
import { LOST, lateBy, Victim } from "./victim.ts";
import { type Breach, clock } from "./watch.ts";

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
/** Between two looks at what the watch has seen, in milliseconds. */
const LOOK_MS = 200;
/** The longest that memory is left to find its size, in milliseconds. */
const MOST_WARM_MS = 60_000;
const MOST_GROWTH = 100 * 2 ** 20;
/** Between two collections of the server's garbage, in milliseconds: each holds it up a little. */
const WEIGH_MS = 10_000;
const MOST_SUSPECTS = 16;
const SHRINK_TRIALS = 25;

export interface StormOptions {
  seed: number;
  arbitrary: fc.Arbitrary<Shot>;
  /** Puts into a request what only this server knows; asked once for each. */
  load(shot: Shot): Shot;
  /**
   * A customer on the way from form to invoice, ordinary or hostile; answers what went wrong. Made
   * before memory is measured, and again and again beside the storm.
   */
  journey(hostile: boolean): Promise<{ what: string; shot: Shot } | null>;
}

export class Storm {
  readonly findings: Findings;
  readonly victim: Victim;
  readonly statuses: Record<string, number> = {};
  shots = 0;
  /** The most that the memory held, without garbage, grew after warm-up, in bytes. */
  growth = 0;
  readonly #options: StormOptions;
  #endsAt = 0;
  #warmMs = 0;
  #warmUntil = 0;
  /** Bytes of memory held after warm-up; null before its end. */
  #floor: number | null = null;
  #weighAt = 0;
  #queue: Shot[] = [];
  #samples = 0;
  #recent: Fired[] = [];
  /** Answers that are wrong by themselves, or missing. */
  #faults: [fault: string, shot: Shot][] = [];
  readonly #slow = new Set<Promise<void>>();
  /** Set while one request after the other is tried alone. */
  #trials: Promise<void> | null = null;

  constructor(app: TestApp, options: StormOptions) {
    this.victim = new Victim(app);
    this.findings = new Findings(options.seed);
    this.#options = options;
  }

  /** Until `ms` are over, or there is more wrong than needs be known. */
  async run(ms: number): Promise<void> {
    this.#warmMs = Math.max(4_000, Math.min(ms / 5, MOST_WARM_MS));
    // Side by side, so that every thread that makes documents is there.
    for (let i = 0; i < WARM_UP; i++) {
      await Promise.all([1, 2, 3].map(() => this.#options.journey(false)));
    }
    await this.victim.beWatched();
    this.#warmUntil = clock() + this.#warmMs;
    this.#endsAt = clock() + ms;
    this.findings.begin();
    const senders = Promise.all([
      this.#travel(),
      ...Array.from({ length: SENDERS }, () => this.#throw()),
    ]);
    let isDone = false;
    void senders.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await this.#judge();
    }
    // What is held open still is no reason to wait: all that follows has to go beside it.
    await this.victim.answered();
    this.#weighAt = 0;
    await this.#judge();
    await this.victim.endWatch();
  }

  get #isOver(): boolean {
    return clock() > this.#endsAt || this.findings.size >= MOST_FINDINGS;
  }

  async #travel(): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      await this.#trials;
      // One that was cut off by the end of the server is no finding of its own.
      const wrong = await this.#options.journey(n % 2 === 1).catch(() => null);
      if (wrong) this.findings.add(wrong.what, wrong.shot, this.shots);
    }
  }

  /** One request after the other; those that take their time are left behind. */
  async #throw(): Promise<void> {
    while (!this.#isOver) {
      await this.#trials;
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
    const reply = await fire(this.victim.port, shot);
    fired.reply = reply;
    const key = `${shot.kind} ${reply.statuses.join("+") || "closed"}`;
    this.statuses[key] = (this.statuses[key] ?? 0) + 1;
    const fault = faultOf(shot, reply);
    if (fault) this.#faults.push([fault, shot]);
  }

  /** Was the server late, has it ended, has it grown? */
  async #judge(): Promise<void> {
    const { victim } = this;
    const faults = this.#faults.splice(0);
    if (faults.length > 0) await victim.answered();
    const breaches = victim.watch.breaches.splice(0);
    const late = breaches.find(({ status }) => status === "200");
    if (!victim.isAlive) await this.#blame(LOST, breaches[0]);
    else if (late) await this.#blame(lateBy(late), late);
    else if (breaches[0]) await this.#blame(`/health: ${breaches[0].status}`, breaches[0]);
    // Of a server that died, every request was left without an answer.
    else for (const [fault, shot] of faults) await this.#alone(() => this.#convict(fault, [shot]));
    const old = clock() - 5_000;
    this.#recent = this.#recent.filter(({ reply }) => !reply || reply.until > old);
    if (victim.isAlive && clock() > Math.max(this.#warmUntil, this.#weighAt)) await this.#weigh();
  }

  /** Warm-up is a fifth of the time: code is compiled, threads are made, caches are filled. */
  async #weigh(): Promise<void> {
    const held = await this.victim.heldBytes();
    const growth = held - (this.#floor ?? held);
    this.growth = Math.max(this.growth, growth);
    if (growth > MOST_GROWTH) {
      this.findings.add(`memory grew by ${Math.round(growth / 2 ** 20)} MB`, null, this.shots);
      this.#floor = null;
    }
    this.#floor ??= held;
    this.#weighAt = clock() + WEIGH_MS;
  }

  /** Sends those that were in flight again, each alone, until one does it again. */
  async #blame(what: string, breach: Breach | undefined): Promise<void> {
    const from = Math.min(breach?.at ?? clock(), clock() - this.victim.watch.openMs) - 500;
    const until = breach ? breach.at + breach.whole : clock();
    const suspects = this.#recent
      .filter((one) => one.from < until && (one.reply?.until ?? clock()) > from)
      .sort((a, b) => order(a) - order(b))
      .map(({ shot }) => shot);
    await this.#alone(async () => {
      if (!this.victim.isAlive) await this.#restart();
      await this.#convict(what, suspects, breach);
    });
  }

  /** Lets no other request in meanwhile. */
  async #alone(work: () => Promise<void>): Promise<void> {
    let end = () => {};
    this.#trials = new Promise((resolve) => {
      end = resolve;
    });
    await work();
    // What the trials did is no finding of its own.
    await this.victim.answered();
    this.victim.watch.breaches.length = 0;
    this.#trials = null;
    end();
  }

  /**
   * Adds what one of the suspects does, or what they do together. Where neither is late again, and
   * the server was not at work while it was late, it waited for the machine's disk.
   */
  async #convict(what: string, suspects: readonly Shot[], breach?: Breach): Promise<void> {
    const { shots } = this;
    const at = clock();
    const known = suspects.find((shot) => this.findings.has(what, shot));
    if (known) return this.findings.add(what, known, shots);
    for (const suspect of suspects.slice(0, MOST_SUSPECTS)) {
      const again = await this.#trial(suspect);
      if (again) return this.findings.add(again, await this.#shrink(suspect, again), shots, at);
    }
    if (suspects.length === 1) return this.findings.add(`${what}, once`, suspects[0]!, shots);
    const some = suspects.slice(0, 6).map((shot) => `\n· ${describeShot(shot).slice(0, 400)}`);
    const together = await this.victim.trial(suspects.slice(0, MOST_SUSPECTS));
    if (!together && breach?.status === "200" && breach.busy > 0 && breach.busy < breach.ms / 2) {
      console.log(`${what}; not again, and the server itself was not at work.`);
      return;
    }
    const sentence = `${what}, and none of ${suspects.length} does it alone (together: ${together ?? "neither"}):${some.join("")}`;
    this.findings.add(sentence, null, shots);
  }

  async #restart(): Promise<void> {
    await this.victim.restart();
    this.#forget();
  }

  /** What was in flight when a server ended is no finding, and memory begins anew. */
  #forget(): void {
    this.#faults = [];
    this.#floor = null;
    this.#warmUntil = clock() + this.#warmMs;
  }

  async #trial(shot: Shot): Promise<string | null> {
    const again = await this.victim.trial([shot]);
    if (again === LOST) this.#forget();
    return again;
  }

  async #shrink(shot: Shot, what: string): Promise<Shot> {
    let best = shot;
    let trials = 0;
    search: for (;;) {
      for (const candidate of smaller(best)) {
        if (++trials > SHRINK_TRIALS) return best;
        const again = await this.#trial(candidate);
        if (!again || signature(again, best) !== signature(what, best)) continue;
        best = candidate;
        continue search;
      }
      return best;
    }
  }
}

/** Who was left without an answer is asked first, then who took longest, last who means to. */
function order({ shot, reply, from }: Fired): number {
  if (shot.delivery) return 2e15 - from;
  return reply?.statuses.length ? 1e15 - (reply.until - from) : -from;
}
