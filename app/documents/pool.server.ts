/**
 * Documents rendered in worker threads: PDF and workbook writing are synchronous and would stop
 * every visitor. The queue is bounded, so a rush answers "busy" and does not fill the memory.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import {
  type DocumentRenderer,
  MAX_DOCUMENTS_IN_FILE,
  RendererBusy,
  TooManyDocuments,
} from "./renderer.server.ts";
import type { Job } from "./worker.ts";

const IDLE_MS = 30_000;
/** A job that takes longer is given up and its thread replaced. */
const JOB_LIMIT_MS = 60_000;
/**
 * Enough for a workbook of 20,000 rows or a file of MAX_DOCUMENTS_IN_FILE. The small young
 * generation halves what the process holds at no cost in time.
 */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

export interface PoolOptions {
  threads?: number;
  /** Jobs that may wait besides those being worked on. */
  maxQueue?: number;
}

/** Threads start with the first job and end when idle; they never keep the process alive. */
export function createDocumentRenderer({
  threads = Math.min(2, availableParallelism()),
  maxQueue = 200,
}: PoolOptions = {}): DocumentRenderer {
  let pool: Piscina<Job, Uint8Array> | null = null;
  let free = threads;
  const waiting: PromiseWithResolvers<void>[] = [];

  /**
   * The queue is here and not in the pool, which forgets its queue when the last thread dies of
   * its memory limit.
   */
  async function takeThread(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.length >= maxQueue) throw new RendererBusy("the document queue is full");
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    await turn.promise;
  }

  function giveThread(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.resolve();
  }

  async function run(job: Job): Promise<Buffer> {
    await takeThread();
    try {
      pool ??= openPool(threads);
      const bytes = await pool.run(job, { signal: AbortSignal.timeout(JOB_LIMIT_MS) });
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } finally {
      giveThread();
    }
  }

  return {
    renderDocument: (document) => run({ kind: "document", document }),
    async renderMonth(documents) {
      if (documents.length > MAX_DOCUMENTS_IN_FILE) throw new TooManyDocuments();
      return run({ kind: "month", documents });
    },
    renderWorkbook: (input) => run({ kind: "workbook", input }),
    /** Work in hand is finished; what still waits is refused. */
    async close() {
      for (const turn of waiting.splice(0)) turn.reject(new RendererBusy("closing"));
      const closing = pool;
      pool = null;
      await closing?.close();
    },
  };
}

function openPool(threads: number): Piscina<Job, Uint8Array> {
  return new Piscina<Job, Uint8Array>({
    filename: workerFile(),
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    // A thread that waits in an atomic wait cannot end by itself.
    atomics: "disabled",
    recordTiming: false,
    resourceLimits: THREAD_MEMORY,
  });
}

/** Beside the bundle, or one folder up when this module is in a shared chunk; else the source. */
function workerFile(): string {
  const places = ["./document-worker.js", "../document-worker.js", "./worker.ts"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`no document worker at ${paths.join(", ")}`);
  return path;
}
