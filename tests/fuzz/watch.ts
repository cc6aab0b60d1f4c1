/** Asks a server for its health from a thread of its own, and says when it was late or not well. */
import { Worker } from "node:worker_threads";

export interface WatchOptions {
  port: number;
  /** The server's process; its first thread is the one that turns its event loop. */
  pid: number;
  localAddress?: string;
  /** See `figures`; the first says when the question now open was asked (0: none is). */
  board: SharedArrayBuffer;
}

/** An answer too late by the server's own work, or none that says that all is well. */
export interface Breach {
  what: string;
  /** As `clock` tells it. */
  from: number;
  until: number;
}

/** Milliseconds since 1970, to the fraction; every thread has the same. */
export const clock = () => performance.timeOrigin + performance.now();

export class Watch {
  readonly breaches: Breach[] = [];
  readonly #seen: Float64Array;
  readonly #worker: Worker;

  constructor(options: Omit<WatchOptions, "board">) {
    const board = new SharedArrayBuffer(4 * 8);
    this.#seen = new Float64Array(board);
    const workerData: WatchOptions = { ...options, board };
    const file = new URL("./watch-thread.ts", import.meta.url);
    this.#worker = new Worker(file, { workerData, execArgv: [] });
    this.#worker.on("message", (breach: Breach) => this.breaches.push(breach));
  }

  /** Milliseconds since the question that is still open. */
  get openMs(): number {
    const at = this.#seen[0]!;
    return at === 0 ? 0 : clock() - at;
  }

  /** The longest answer, less what the machine ran others; how many; and the memory now. */
  get figures() {
    const [, ms, answers, bytes] = this.#seen;
    return { ms: ms!, answers: answers!, bytes: bytes! };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
