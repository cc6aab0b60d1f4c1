/** Who gets a thread next: each lane has its own bounded queue, and the lanes take turns. */
import { RendererBusy } from "#app/core/document-renderer.ts";

/** `documents`: one PDF, made in a moment. `files`: a workbook or a month, made in seconds. */
export type Lane = "documents" | "files";

/** After a longer wait without an answer the caller's connection may be gone. */
const LONGEST_WAIT_MS = 90_000;

const OTHER = { documents: "files", files: "documents" } as const;

export class Lanes {
  readonly #threads: number;
  readonly #mostWaiting: number;
  readonly #waiting: Record<Lane, PromiseWithResolvers<void>[]> = { documents: [], files: [] };
  readonly #running: Record<Lane, number> = { documents: 0, files: 0 };
  #last: Lane = "files";

  constructor(threads: number, mostWaiting: number) {
    this.#threads = threads;
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves when it is the caller's turn. Throws RendererBusy if too many wait, or it takes long. */
  async take(lane: Lane): Promise<void> {
    if (this.#mayRun(lane)) return this.#start(lane);
    const queue = this.#waiting[lane];
    if (queue.length >= this.#mostWaiting) throw new RendererBusy(`the ${lane} lane is full`);
    const turn = Promise.withResolvers<void>();
    queue.push(turn);
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(turn), 1);
      turn.reject(new RendererBusy(`the ${lane} lane is slow`));
    }, LONGEST_WAIT_MS);
    timer.unref();
    await turn.promise.finally(() => clearTimeout(timer));
  }

  /** Ends the caller's turn. The lane that did not have the last one is asked first. */
  give(lane: Lane): void {
    this.#running[lane] -= 1;
    for (const next of [OTHER[this.#last], this.#last]) {
      if (this.#waiting[next].length === 0 || !this.#mayRun(next)) continue;
      this.#start(next);
      this.#waiting[next].shift()!.resolve();
      return;
    }
  }

  /** Everybody who waits gets RendererBusy. */
  refuseWaiting(): void {
    for (const queue of Object.values(this.#waiting)) {
      for (const turn of queue.splice(0)) turn.reject(new RendererBusy("closing"));
    }
  }

  /** Of several threads, files leave one to the documents. */
  #mayRun(lane: Lane): boolean {
    const { documents, files } = this.#running;
    if (documents + files >= this.#threads) return false;
    return lane === "documents" || files < Math.max(1, this.#threads - 1);
  }

  #start(lane: Lane): void {
    this.#running[lane] += 1;
    this.#last = lane;
  }
}
