/** Threads that start with the first job and end when idle; they never keep the process alive. */
import { Piscina } from "piscina";
import { NICENESS } from "./threads.server.ts";

/** Milliseconds. Longer than a person takes to ask for the next file; an idle thread keeps its memory. */
const IDLE_MS = 10_000;
/** A small one halves the memory of the process and costs no time. */
const YOUNG_GENERATION_MB = 8;

export interface ThreadOptions {
  threads?: number;
  /** A thread that needs more is ended, and its job fails. */
  memoryMb: number;
  idleMs?: number;
}

export function openPool<Job, Made>(
  filename: string,
  { threads = 1, memoryMb, idleMs = IDLE_MS }: ThreadOptions,
): Piscina<Job, Made> {
  return new Piscina<Job, Made>({
    filename,
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: idleMs,
    // A thread that waits in an atomic wait cannot end by itself.
    atomics: "disabled",
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    },
    niceIncrement: NICENESS,
  });
}
