/** The memory that the event loop's thread writes and the watchdog's thread reads. */

/** Of the path more is left out. */
const TEXT_BYTES = 512;

export const BEAT = 0;
export const IN_FLIGHT = 1;
export const TEXT_LENGTH = 2;

export function newSharedMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(24 + TEXT_BYTES);
}

export function viewsOf(memory: SharedArrayBuffer) {
  return {
    counts: new Int32Array(memory, 0, 3),
    /** Milliseconds on the monotonic clock, from the time origin of the event loop's thread. */
    begunAt: new Float64Array(memory, 16, 1),
    /** Request id, method and masked path of the request begun last, with spaces between. */
    text: Buffer.from(memory, 24),
  };
}

export interface ThreadData {
  memory: SharedArrayBuffer;
  turnMs: number;
  turns: number;
  /** Of the event loop's thread: each thread has its own. */
  timeOrigin: number;
}
