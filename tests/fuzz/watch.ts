/** What the watching thread sees, for the thread of the tests. */
import { Worker } from "node:worker_threads";

export interface WatchOptions {
  port: number;
  /** The server's process; its first thread is the one that turns its event loop. */
  pid: number;
  localAddress?: string;
  limitMs: number;
  /**
   * When the question now open was asked (0: none is), the longest answer as the clock says, the
   * longest without the machine's share, how many, and the memory now.
   */
  board: SharedArrayBuffer;
}

/** An answer too late, or none that says that all is well. */
export interface Breach {
  /** Milliseconds since 1970, to the fraction. */
  at: number;
  /** Milliseconds to the answer as the clock says. */
  whole: number;
  /** The same without what the server or the watch waited for a processor that ran others. */
  ms: number;
  /** Milliseconds of it that the server's first thread worked; 0 where nobody counts. */
  busy: number;
  status: string;
}

const SLOW_MS = 500;

/** Milliseconds since 1970, to the fraction; every thread has the same. */
export const clock = () => performance.timeOrigin + performance.now();

export class Watch {
  readonly breaches: Breach[] = [];
  readonly #seen: Float64Array;
  readonly #worker: Worker;

  constructor(options: Pick<WatchOptions, "port" | "pid" | "localAddress">) {
    const board = new SharedArrayBuffer(5 * 8);
    this.#seen = new Float64Array(board);
    const workerData: WatchOptions = { ...options, limitMs: SLOW_MS, board };
    this.#worker = new Worker(new URL("./watch-thread.ts", import.meta.url), {
      workerData,
      execArgv: [],
    });
    this.#worker.on("message", (breach: Breach) => this.breaches.push(breach));
  }

  /** Milliseconds since the question that is still open. */
  get openMs(): number {
    const at = this.#seen[0]!;
    return at === 0 ? 0 : clock() - at;
  }

  get figures() {
    const [, whole, ms, answers, bytes] = this.#seen;
    return { whole: whole!, ms: ms!, answers: answers!, bytes: bytes! };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
