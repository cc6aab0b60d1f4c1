/**
 * Documents rendered in worker threads: PDF and workbook writing are synchronous and would stop
 * every visitor. The queue is bounded, so a rush answers "busy" and does not fill the memory.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { type DocumentRenderer, RendererBusy } from "./renderer.server.ts";
import type { Job } from "./worker.ts";

const IDLE_MS = 30_000;
/** A job that takes longer, waiting included, is given up and its thread replaced. */
const JOB_LIMIT_MS = 120_000;
const THREAD_HEAP_MB = 320;

/** Threads start with the first job and end when idle; they never keep the process alive. */
export function createDocumentRenderer({
  threads = Math.min(2, availableParallelism()),
  maxQueue = 200,
}: {
  threads?: number;
  /** Jobs that may wait besides those being worked on. */
  maxQueue?: number;
} = {}): DocumentRenderer {
  let pool: Piscina<Job, Uint8Array> | null = null;
  let jobs = 0;

  async function run(job: Job): Promise<Buffer> {
    if (jobs >= threads + maxQueue) throw new RendererBusy("the document queue is full");
    jobs += 1;
    try {
      pool ??= openPool(threads);
      const bytes = await pool.run(job, { signal: AbortSignal.timeout(JOB_LIMIT_MS) });
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } finally {
      jobs -= 1;
    }
  }

  return {
    renderDocument: (document) => run({ kind: "document", document }),
    renderMonth: (documents) => run({ kind: "month", documents }),
    renderWorkbook: (input) => run({ kind: "workbook", input }),
    async close() {
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
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
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
