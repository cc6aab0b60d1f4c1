/**
 * A bounded queue in memory, for work that takes much memory, a thread or an outside server; and how
 * a request makes way for others meanwhile.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

/** The place of a request among those being worked on. */
export interface Turn {
  /** Set when the client has hung up. */
  readonly signal: AbortSignal;
  /** Gives up the place until the returned function is called; with `ofClient` the client's own too. */
  pause(ofClient: boolean): () => void;
  /** Lets the requests of other clients go first, each for one turn. */
  again(): Promise<void>;
}

/** Empty in the background, and where requests are not limited. */
const current = new AsyncLocalStorage<Turn | undefined>();

export function inTurn<T>(turn: Turn | undefined, work: () => T): T {
  return current.run(turn, work);
}

/**
 * Waits for another thread, process or server. Meanwhile the request takes no place here, and with
 * `ofClient` none of its client's places.
 */
export async function elsewhere<T>(work: Promise<T>, ofClient = false): Promise<T> {
  const resume = current.getStore()?.pause(ofClient);
  try {
    return await work;
  } finally {
    resume?.();
  }
}

/** Between two slices of long work on the event loop. */
export async function betweenSlices(): Promise<void> {
  const turn = current.getStore();
  await (turn ? turn.again() : setImmediate());
}

/** A queue is full; answered with 503. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

interface Limits {
  /** Pieces of work at the same time; 1 by default. */
  atOnce?: number;
  /** For one owner; by default the same as for all. */
  atOnceOf?: (owner: string) => number;
  mostWaiting: number;
  mostOfOwner: number;
}

interface Work<T> {
  /** Owners take turns, so that nobody waits for more than one piece of work of each other. */
  owner: string;
  /** A second call with a key that waits or runs gets the same result. */
  key?: string;
  /** Goes before all others, and has its own limit of the same size. */
  isFirst?: boolean;
  /** Begun at its turn. The signal is set when nobody waits for it any more. */
  begin: (signal: AbortSignal) => Promise<T>;
}

interface Job extends Work<unknown> {
  readonly result: PromiseWithResolvers<unknown>;
  /** Aborted when the last caller has left. */
  readonly left: AbortController;
  callers: number;
}

export class WorkQueue {
  readonly #limits: Required<Limits>;
  /** An owner's turn comes at the position of its first job. */
  #waiting: Job[] = [];
  #running: Job[] = [];

  constructor({ atOnce = 1, atOnceOf = () => atOnce, ...limits }: Limits) {
    this.#limits = { atOnce, atOnceOf, ...limits };
  }

  /**
   * The result of the work, or of the job with the same key. A caller leaves when its signal is set,
   * and the work is aborted when the last one has left. Rejects with QueueFull, the signal's reason,
   * or as the work does.
   */
  async run<T>(work: Work<T>, signal = current.getStore()?.signal): Promise<T> {
    signal?.throwIfAborted();
    const job = this.#find(work.key) ?? this.#add(work);
    job.callers += 1;
    const gone = Promise.withResolvers<never>();
    const leave = () => {
      job.callers -= 1;
      if (job.callers === 0) this.#drop(job);
      gone.reject(signal!.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return (await elsewhere(Promise.race([job.result.promise, gone.promise]))) as T;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** What waits is refused with QueueFull; resolves when what runs has ended. */
  async close(): Promise<void> {
    for (const job of this.#waiting) {
      this.#drop(job);
      job.result.reject(new QueueFull("closing"));
    }
    await Promise.allSettled(this.#running.map(({ result }) => result.promise));
  }

  /** A job without callers is not found. */
  #find(key: string | undefined): Job | undefined {
    const all = key === undefined ? [] : [...this.#waiting, ...this.#running];
    return all.find((job) => job.key === key && !job.left.signal.aborted);
  }

  #add(work: Work<unknown>): Job {
    const { owner, isFirst = false } = work;
    const { mostWaiting, mostOfOwner } = this.#limits;
    const beside = this.#waiting.filter((job) => (job.isFirst ?? false) === isFirst);
    const own = beside.filter((job) => job.owner === owner);
    const isFull = beside.length >= mostWaiting || own.length >= mostOfOwner;
    if (isFull && !this.#mayRun(owner)) throw new QueueFull(`the queue of ${owner} is full`);
    const result = Promise.withResolvers<unknown>();
    // Its callers have left.
    result.promise.catch(() => {});
    const job: Job = { ...work, result, left: new AbortController(), callers: 0 };
    this.#waiting.push(job);
    this.#beginNext();
    return job;
  }

  #mayRun(owner: string): boolean {
    const { atOnce, atOnceOf } = this.#limits;
    const own = this.#running.filter((job) => job.owner === owner).length;
    return this.#running.length < atOnce && own < atOnceOf(owner);
  }

  #beginNext(): void {
    const ready = this.#waiting.filter(({ owner }) => this.#mayRun(owner));
    const job = ready.find(({ isFirst }) => isFirst) ?? ready[0];
    if (!job) return;
    this.#waiting = this.#waiting.filter((one) => one !== job);
    this.#running.push(job);
    this.#comesLast(job.owner);
    void this.#work(job);
    this.#beginNext();
  }

  async #work(job: Job): Promise<void> {
    try {
      // Outside the first caller's turn, because others wait for it too.
      job.result.resolve(await inTurn(undefined, () => job.begin(job.left.signal)));
    } catch (error) {
      job.result.reject(error);
    } finally {
      this.#running = this.#running.filter((one) => one !== job);
      // Owners who came while it ran also go before this owner's next job.
      this.#comesLast(job.owner);
      this.#beginNext();
    }
  }

  #comesLast(owner: string): void {
    const others = this.#waiting.filter((job) => job.owner !== owner);
    const own = this.#waiting.filter((job) => job.owner === owner);
    this.#waiting = [...others, ...own];
  }

  #drop(job: Job): void {
    this.#waiting = this.#waiting.filter((one) => one !== job);
    job.left.abort();
  }
}
