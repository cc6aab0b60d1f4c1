/**
 * Time as delays see it. A tick is a millisecond of sandbox time, which runs `scale` times faster than the
 * wall; `advance` jumps. Stamps on entities stay wall-clock time, because the application compares them
 * with its own clock.
 */
export interface Timer {
  dueTick: number;
  cancel(): void;
}

interface Job {
  dueTick: number;
  run: () => void;
  handle: NodeJS.Timeout | undefined;
}

const LONGEST_TIMEOUT = 2 ** 31 - 1;

export class Clock {
  #scale: number;
  #anchorTick: number;
  #anchorWall: number;
  readonly #jobs = new Set<Job>();

  constructor(scale = 1) {
    this.#scale = scale;
    this.#anchorWall = Date.now();
    this.#anchorTick = this.#anchorWall;
  }

  get scale(): number {
    return this.#scale;
  }

  setScale(scale: number): void {
    if (!Number.isFinite(scale) || scale <= 0) throw new RangeError("scale must be above 0");
    this.#anchor(this.tick());
    this.#scale = scale;
    this.#rearm();
  }

  /** Sandbox time in milliseconds. */
  tick(): number {
    return this.#anchorTick + (Date.now() - this.#anchorWall) * this.#scale;
  }

  /** Wall-clock Unix seconds, for `created_at`. */
  seconds(): number {
    return Math.floor(Date.now() / 1000);
  }

  at(dueTick: number, run: () => void): Timer {
    const job: Job = { dueTick, run, handle: undefined };
    this.#jobs.add(job);
    this.#arm(job);
    return { dueTick, cancel: () => this.#drop(job) };
  }

  after(milliseconds: number, run: () => void): Timer {
    return this.at(this.tick() + milliseconds, run);
  }

  advance(seconds: number): void {
    this.#anchor(this.tick() + seconds * 1000);
    this.#rearm();
  }

  /** Continues a saved tick, never backwards. */
  restore(tick: number): void {
    this.#anchor(Math.max(tick, this.tick()));
  }

  clear(): void {
    for (const job of [...this.#jobs]) this.#drop(job);
  }

  #anchor(tick: number): void {
    this.#anchorTick = tick;
    this.#anchorWall = Date.now();
  }

  #rearm(): void {
    for (const job of this.#jobs) {
      clearTimeout(job.handle);
      this.#arm(job);
    }
  }

  #arm(job: Job): void {
    const wait = Math.max(0, (job.dueTick - this.tick()) / this.#scale);
    job.handle = setTimeout(
      () => {
        if (this.tick() + 1 < job.dueTick) {
          this.#arm(job);
          return;
        }
        this.#drop(job);
        try {
          job.run();
        } catch (error) {
          console.error(error);
        }
      },
      Math.min(Math.ceil(wait), LONGEST_TIMEOUT),
    );
    job.handle.unref();
  }

  #drop(job: Job): void {
    clearTimeout(job.handle);
    this.#jobs.delete(job);
  }
}
