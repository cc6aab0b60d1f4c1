/**
 * Renders documents in worker threads: writing PDFs and workbooks is synchronous and would block
 * every visitor. Single documents and long files take turns in one bounded queue, so that too many of
 * one kind are refused, fill no memory and delay the other kind by one job at most.
 */
import { createHash } from "node:crypto";
import { availableParallelism, totalmem } from "node:os";
import type { Piscina } from "piscina";
import {
  type DocumentRenderer,
  MAX_DOCUMENTS_IN_FILE,
  TooManyDocuments,
} from "#app/core/services.ts";
import { openPool, type ThreadOptions } from "#app/core/thread-pool.server.ts";
import { lowerCollectors, threadFile } from "#app/core/threads.server.ts";
import { WorkQueue } from "#app/core/work-queue.server.ts";
import { tellUnknown } from "#app/model/unknown-code.ts";
import type { MadeExport } from "./export-file.server.ts";
import type { Printed } from "./invoice-definition.ts";
import type { Job, Made, Task } from "./thread.ts";

/** A job that takes longer is aborted and its thread replaced. */
const JOB_LIMIT_MS = 60_000;
/** Enough for the longest export or a file of MAX_DOCUMENTS_IN_FILE. */
const THREAD_MB = 160;

export interface RendererOptions {
  /** The database file that exports are read from. */
  databasePath: string;
  /** The most waiting jobs of each kind. */
  maxQueue?: number;
  /** Sets the threads; without it their number goes by the memory. */
  own?: Partial<ThreadOptions>;
}

/** `documents`: single PDFs, made in a moment. `files`: workbooks and months, made in seconds. */
type Kind = "documents" | "files";

/** Each thread takes about 100 MB for its libraries and fonts. */
const MEMORY_FOR_TWO_MB = 1_536;
/** Milliseconds. An idle thread stays where there is memory: its start takes most of a second. */
const LONG_IDLE_MS = 30_000;

function threadsForMemory(): Omit<ThreadOptions, "memoryMb"> {
  // The container's memory, where that is less than the machine's.
  const bytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  if (bytes < MEMORY_FOR_TWO_MB * 2 ** 20) return { threads: 1 };
  return { threads: Math.min(2, availableParallelism()), idleMs: LONG_IDLE_MS };
}

/** Threads start with the first job and end when idle; they never keep the process alive. */
export function createDocumentRenderer({
  databasePath,
  maxQueue = 200,
  own,
}: RendererOptions): DocumentRenderer {
  const options = { memoryMb: THREAD_MB, threads: 1, ...(own ?? threadsForMemory()) };
  const { threads } = options;
  let pool: Piscina<Job, Made> | undefined;
  /** Outside the pool, which loses its queue when its last thread exceeds a limit and dies. */
  const queue = new WorkQueue({
    atOnce: threads,
    // If there are several threads, files leave one to documents.
    atOnceOf: (kind) => (kind === "documents" ? threads : Math.max(1, threads - 1)),
    mostWaiting: 2 * maxQueue,
    mostOfOwner: maxQueue,
  });
  const read = keptDocuments((printed, key) =>
    file("number" in printed ? "documents" : "files", { kind: "ledger", printed }, key),
  );

  async function file(owner: Kind, task: Task, key?: string): Promise<Buffer> {
    return bufferOf(await run<Uint8Array>(owner, task, key));
  }

  /** `Result`: what the worker returns for this kind of task. */
  function run<Result extends Made>(owner: Kind, task: Task, key?: string): Promise<Result> {
    const begin = async (left: AbortSignal) => {
      pool ??= openDocumentPool(options);
      const signal = AbortSignal.any([left, AbortSignal.timeout(JOB_LIMIT_MS)]);
      return (await pool.run({ ...task, databasePath }, { signal })) as Result;
    };
    return queue.run({ owner, begin, ...(key !== undefined && { key }) });
  }

  return {
    renderDocument: read,
    renderText: (page) => file("documents", { kind: "text", page }),
    async renderMonth(documents) {
      if (documents.length > MAX_DOCUMENTS_IN_FILE) throw new TooManyDocuments();
      return read(documents);
    },
    async renderExport(filter, most) {
      const made = await run<MadeExport | null>("files", { kind: "export", filter, most });
      return made && { bytes: bufferOf(made.bytes), rows: made.rows };
    },
    renderGstMonth: (month, filer, format) => file("files", { kind: "gst", month, filer, format }),
    /** Finishes jobs under way and refuses the waiting ones. */
    async close() {
      await queue.close();
      await pool?.close();
    },
  };
}

/** A Buffer of the same bytes, because a thread returns a plain Uint8Array. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function openDocumentPool(options: ThreadOptions): Piscina<Job, Made> {
  lowerCollectors();
  const file = threadFile(import.meta.url, "document-worker", "./thread.ts");
  const pool = openPool<Job, Made>(file, options);
  pool.on("message", tellUnknown);
  return pool;
}

/** About 120 invoices. */
const MOST_BYTES = 4 * 2 ** 20;

/**
 * Keeps finished PDFs, the most recently used, because a ledger row never changes and always renders
 * to the same bytes. `render` is given the key, so that simultaneous requests share one job. Rejects
 * if it fails; the next request tries again.
 */
export function keptDocuments(
  render: (printed: Printed, key: string) => Promise<Buffer>,
  mostBytes = MOST_BYTES,
) {
  /** Least recently used first. */
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;
  return async (printed: Printed): Promise<Buffer> => {
    const key = createHash("sha256").update(JSON.stringify(printed)).digest("base64");
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const bytes = await render(printed, key);
    // One large file would push out all the others.
    if (bytes.length > mostBytes / 2 || kept.has(key)) return bytes;
    kept.set(key, bytes);
    keptBytes += bytes.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= mostBytes) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
    return bytes;
  };
}
