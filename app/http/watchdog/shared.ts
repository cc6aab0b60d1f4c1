/** The memory that the event loop's thread writes and the watchdog's thread reads. */

/** A longer text is cut off. */
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
    /** When the last request began: milliseconds by `performance.now()` of the event loop's thread. */
    begunAt: new Float64Array(memory, 16, 1),
    /** That request's id, method and masked path, separated by spaces. */
    text: Buffer.from(memory, 24),
  };
}

export interface ThreadData {
  memory: SharedArrayBuffer;
  turnMs: number;
  turns: number;
  /** `performance.timeOrigin` of the event loop's thread. */
  timeOrigin: number;
}
