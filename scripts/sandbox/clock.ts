interface Job {
  dueTick: number;
  run: () => void;
  handle?: NodeJS.Timeout;
}

/**
 * Time as delays see it. A tick is a millisecond of sandbox time, which runs `scale` times faster than the
 * wall; `advance` jumps. Stamps on entities stay wall-clock time, because the application compares them
 * with its own clock.
 */
export class Clock {
  readonly scale: number;
  readonly #began = Date.now();
  #ahead = 0;
  readonly #jobs = new Set<Job>();

  constructor(scale: number) {
    this.scale = scale;
  }

  /** Sandbox time in milliseconds. */
  tick(): number {
    return this.#began + (Date.now() - this.#began) * this.scale + this.#ahead;
  }

  /** Wall-clock Unix seconds, for `created_at`. */
  seconds(): number {
    return Math.floor(Date.now() / 1000);
  }

  at(dueTick: number, run: () => void): void {
    const job: Job = { dueTick, run };
    this.#jobs.add(job);
    this.#arm(job);
  }

  after(milliseconds: number, run: () => void): void {
    this.at(this.tick() + milliseconds, run);
  }

  /** What falls due within these seconds happens now. */
  advance(seconds: number): void {
    this.#ahead += seconds * 1000;
    for (const job of this.#jobs) this.#arm(job);
  }

  clear(): void {
    for (const job of this.#jobs) clearTimeout(job.handle);
    this.#jobs.clear();
  }

  #arm(job: Job): void {
    clearTimeout(job.handle);
    const wait = Math.ceil((job.dueTick - this.tick()) / this.scale);
    job.handle = setTimeout(() => this.#fire(job), Math.max(wait, 0)).unref();
  }

  #fire(job: Job): void {
    if (this.tick() + 1 < job.dueTick) {
      this.#arm(job);
      return;
    }
    this.#jobs.delete(job);
    try {
      job.run();
    } catch (error) {
      console.error(error);
    }
  }
}
