/**
 * The one queue in memory for work that takes much memory, a thread or another's server: bounded,
 * and its owners take turns, so that nobody waits for more than one piece of work of each other.
 */
import { callerSignal, elsewhere, inTurn } from "./turn.server.ts";

/** There is no room in a queue; answered as 503. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

interface Limits {
  /** Pieces of work at the same time; 1 by default. */
  atOnce?: number;
  /** Of one owner; as many as of all by default. */
  atOnceOf?: (owner: string) => number;
  mostWaiting: number;
  /** Of one owner. */
  mostOfOwner: number;
}

export interface Work<T> {
  owner: string;
  /** Who asks for a key that waits or runs gets that one's result. */
  key?: string;
  /** Begun at its turn. The signal is set when nobody waits for it any more. */
  begin: (signal: AbortSignal) => Promise<T>;
}

interface Job {
  readonly owner: string;
  readonly key: string | symbol;
  readonly begin: Work<unknown>["begin"];
  readonly result: PromiseWithResolvers<unknown>;
  /** Aborted when the last caller has left. */
  readonly left: AbortController;
  callers: number;
}

export class WorkQueue {
  readonly #limits: Required<Limits>;
  /** What waits or runs. */
  readonly #jobs = new Map<string | symbol, Job>();
  /** By owner, in the order of their turns; none is empty. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #running: Job[] = [];

  constructor({ atOnce = 1, atOnceOf = () => atOnce, ...limits }: Limits) {
    this.#limits = { atOnce, atOnceOf, ...limits };
  }

  /**
   * The result of the work, or of that of the same key. A caller whose signal is set leaves, and the
   * work ends with its last one. Rejects with QueueFull, the signal's reason, or as the work does.
   */
  async run<T>(work: Work<T>, signal = callerSignal()): Promise<T> {
    signal?.throwIfAborted();
    const job = (work.key && this.#jobs.get(work.key)) || this.#add(work);
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
    for (const job of [...this.#waiting.values()].flat()) {
      this.#drop(job);
      job.result.reject(new QueueFull("closing"));
    }
    await Promise.allSettled(this.#running.map(({ result }) => result.promise));
  }

  #add({ owner, key, begin }: Work<unknown>): Job {
    const own = this.#waiting.get(owner) ?? [];
    const all = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    const { mostWaiting, mostOfOwner } = this.#limits;
    if (!this.#mayRun(owner) && (all >= mostWaiting || own.length >= mostOfOwner)) {
      throw new QueueFull(`the queue of ${owner} is full`);
    }
    const result = Promise.withResolvers<unknown>();
    // Who has left does not hear of it.
    result.promise.catch(() => {});
    const left = new AbortController();
    const job: Job = { owner, key: key ?? Symbol(), begin, result, left, callers: 0 };
    this.#jobs.set(job.key, job);
    own.push(job);
    this.#waiting.set(owner, own);
    this.#beginNext();
    return job;
  }

  #mayRun(owner: string): boolean {
    const { atOnce, atOnceOf } = this.#limits;
    const own = this.#running.filter((job) => job.owner === owner).length;
    return this.#running.length < atOnce && own < atOnceOf(owner);
  }

  #beginNext(): void {
    for (const [owner, [job]] of this.#waiting) {
      if (!job || !this.#mayRun(owner)) continue;
      this.#unqueue(job);
      this.#comesLast(owner);
      this.#running.push(job);
      void this.#work(job);
    }
  }

  async #work(job: Job): Promise<void> {
    try {
      // Not in the turn of whoever happened to ask first: others wait for it too.
      job.result.resolve(await inTurn(undefined, () => job.begin(job.left.signal)));
    } catch (error) {
      job.result.reject(error);
    } finally {
      this.#running.splice(this.#running.indexOf(job), 1);
      this.#forget(job);
      this.#comesLast(job.owner);
      this.#beginNext();
    }
  }

  /** The others come before its next. */
  #comesLast(owner: string): void {
    const rest = this.#waiting.get(owner);
    if (rest && this.#waiting.delete(owner)) this.#waiting.set(owner, rest);
  }

  /** Nobody waits for it any more. */
  #drop(job: Job): void {
    this.#unqueue(job);
    this.#forget(job);
    job.left.abort();
  }

  #unqueue(job: Job): void {
    const rest = this.#waiting.get(job.owner)?.filter((one) => one !== job) ?? [];
    if (rest.length > 0) this.#waiting.set(job.owner, rest);
    else this.#waiting.delete(job.owner);
  }

  #forget(job: Job): void {
    if (this.#jobs.get(job.key) === job) this.#jobs.delete(job.key);
  }
}
