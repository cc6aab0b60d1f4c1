/** The server under a storm with its watch: is it alive, does it answer, and who ends it? */
import type { TestApp } from "#tests/helpers/app.ts";
import { faultOf, fire, type Shot } from "./shot.ts";
import { type Breach, clock, Watch } from "./watch.ts";

/** An open question to `/health` after which the server is taken for lost, in milliseconds. */
const LOST_MS = 15_000;

export class Victim {
  readonly app: TestApp;
  /** The worst of all its lives: milliseconds by the clock and without the machine's share. */
  readonly worst = { whole: 0, ms: 0, answers: 0 };
  watch!: Watch;

  constructor(app: TestApp) {
    this.app = app;
  }

  get port(): number {
    return Number(new URL(this.app.origin).port);
  }

  get isAlive(): boolean {
    try {
      return process.kill(this.app.server!.pid, 0) && this.watch.openMs < LOST_MS;
    } catch {
      return false;
    }
  }

  async beWatched(): Promise<void> {
    // An address of its own, where a machine has more than one on loopback.
    const localAddress = process.platform === "linux" ? "127.0.0.2" : undefined;
    this.watch = new Watch({ port: this.port, pid: this.app.server!.pid, localAddress });
    await this.answered();
  }

  async endWatch(): Promise<void> {
    const { whole, ms, answers } = this.watch.figures;
    this.worst.whole = Math.max(this.worst.whole, whole, this.watch.openMs);
    this.worst.ms = Math.max(this.worst.ms, ms);
    this.worst.answers += answers;
    await this.watch.stop();
  }

  async restart(): Promise<void> {
    await this.endWatch();
    await this.app.server!.kill();
    // Every socket has heard of it then.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await this.app.restart();
    await this.beWatched();
  }

  /** Until the watch had two answers to questions asked from now on, or the server is lost. */
  async answered(): Promise<void> {
    const { answers } = this.watch.figures;
    await this.#until(() => this.watch.figures.answers > answers + 2 || !this.isAlive);
  }

  /** Bytes of memory that the server holds once its garbage is collected. */
  async heldBytes(): Promise<number> {
    process.kill(this.app.server!.pid, "SIGUSR2");
    await this.answered();
    return this.watch.figures.bytes;
  }

  /** Sends these and no others: what goes wrong; null: nothing. The server runs afterwards. */
  async trial(shots: readonly Shot[]): Promise<string | null> {
    this.watch.breaches.length = 0;
    const replies = Promise.all(shots.map((shot) => fire(this.port, shot)));
    await Promise.race([replies, this.#until(() => !this.isAlive)]);
    await this.answered();
    if (!this.isAlive) {
      await this.restart();
      return LOST;
    }
    const breach = this.watch.breaches[0];
    if (breach) return lateBy(breach);
    const faults = (await replies).map((reply, i) => faultOf(shots[i]!, reply));
    return faults.find((fault) => fault !== null) ?? null;
  }

  async #until(isSo: () => boolean): Promise<void> {
    const limit = clock() + 4 * LOST_MS;
    while (!isSo() && clock() < limit) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const LOST = "the server ended, or hung";
export const lateBy = ({ ms, whole, busy }: Breach) =>
  `/health late by ${Math.round(ms)} ms (${Math.round(whole)} ms by the clock, ${Math.round(busy)} ms at work)`;
