interface Job {
  dueTick: number;
  run: () => void;
  handle?: NodeJS.Timeout;
}

export type Clock = ReturnType<typeof makeClock>;

/**
 * Time as delays see it. A tick is a millisecond of sandbox time, which runs `scale` times faster than the
 * wall; `advance` jumps. Stamps on entities stay wall-clock time, because the application compares them
 * with its own clock.
 */
export function makeClock(scale: number) {
  const jobs = new Set<Job>();
  const began = Date.now();
  let ahead = 0;

  /** Sandbox time in milliseconds. */
  const tick = () => began + (Date.now() - began) * scale + ahead;

  function at(dueTick: number, run: () => void): void {
    const job: Job = { dueTick, run };
    jobs.add(job);
    arm(job);
  }

  function arm(job: Job): void {
    clearTimeout(job.handle);
    const wait = Math.ceil((job.dueTick - tick()) / scale);
    job.handle = setTimeout(() => fire(job), Math.max(wait, 0)).unref();
  }

  function fire(job: Job): void {
    if (tick() + 1 < job.dueTick) {
      arm(job);
      return;
    }
    jobs.delete(job);
    try {
      job.run();
    } catch (error) {
      console.error(error);
    }
  }

  return {
    scale,
    tick,
    /** Wall-clock Unix seconds, for `created_at`. */
    seconds: () => Math.floor(Date.now() / 1000),
    at,
    after: (milliseconds: number, run: () => void) => at(tick() + milliseconds, run),
    /** What falls due within these seconds happens now. */
    advance(seconds: number): void {
      ahead += seconds * 1000;
      for (const job of jobs) arm(job);
    },
    clear(): void {
      for (const job of jobs) clearTimeout(job.handle);
      jobs.clear();
    },
  };
}
