/** Reads request bodies and limits their size and how slowly they may arrive. */
import type { IncomingMessage } from "node:http";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import type { Place } from "./admission.ts";

const KIB = 1024;
const LIMIT = 64 * KIB;
/** Twenty long answers in Hindi, nine bytes a letter, and the form's initial values. */
const LONG_FORM_LIMIT = 256 * KIB;
/** Of the admin area, and the answers before a session. */
const LONG_FORM = /^\/(admin(\/|\.data$|$)|booking\/[^/]+\/prepare(\.data)?$)/;
const WEBHOOK_LIMIT = 3 * KIB * KIB;
const PICTURE_LIMIT = 4 * KIB * KIB;
const PICTURE_CALL = /^\/api\/admin\/(counselors\/[^/]+\/portrait|settings\/logo)$/;
export const PICTURE_FORM = /^\/admin\/(catalogue\/captains\/[^/]+\/portrait|settings\/logo)$/;
/** Bytes that a multipart form adds to its file. */
const AROUND_FILE = 4 * KIB;

interface Pace {
  windowMs: number;
  /** Bytes that must arrive in each window but the last. */
  leastBytes: number;
  /** Windows within which the body must end. */
  windows: number;
}

const READING: Pace = { windowMs: 10_000, leastBytes: 4 * KIB, windows: 12 };
/** The rest of a refused body is read, so that the refusal reaches a client that keeps sending. */
const DISCARDING: Pace = { windowMs: 1_000, leastBytes: 1, windows: 10 };

const TOO_SLOW = failure(
  "request_timeout",
  "This took too long to reach us. Please check your connection and try again.",
);

export function bodyLimit(path: string): number {
  if (path.startsWith("/webhooks/")) return WEBHOOK_LIMIT;
  if (PICTURE_CALL.test(path)) return PICTURE_LIMIT;
  if (PICTURE_FORM.test(path)) return PICTURE_LIMIT + AROUND_FILE;
  return LONG_FORM.test(path) ? LONG_FORM_LIMIT : LIMIT;
}

function tooLarge(limit: number) {
  const most = limit < KIB * KIB ? `${limit / KIB} kB` : `${Math.floor(limit / KIB / KIB)} MB`;
  return failure("too_large", `This is too much to send at once. Please send at most ${most}.`);
}

export function carriesBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
}

const NO_BODY = success(Buffer.alloc(0));

/** Memory that a chunk takes besides its bytes: a client may send one byte per chunk. */
const CHUNK_BYTES = 256;

/**
 * Reads the whole body. Refusals: `too_large` (over `limit` bytes), `request_timeout` (too slow, or
 * the client disconnected), and any with which `place` is dismissed.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  place: Place,
): Promise<Outcome<Buffer>> {
  if (Number(request.headers["content-length"] ?? 0) > limit)
    return Promise.resolve(tooLarge(limit));
  if (!carriesBody(request)) return Promise.resolve(NO_BODY);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Outcome<Buffer>) => {
      stop();
      request.removeListener("data", onData);
      place.endReading = null;
      if (!body.ok) place.hold(0);
      chunks.length = 0;
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) return finish(tooLarge(limit));
      chunks.push(chunk);
      place.hold(length + CHUNK_BYTES * chunks.length);
    };
    const stop = keepPace(
      READING,
      () => length,
      () => finish(TOO_SLOW),
    );
    place.endReading = (refusal = TOO_SLOW) => finish(refusal);
    request.on("data", onData);
    request.once("end", () => finish(success(Buffer.concat(chunks, length))));
    request.once("close", () => finish(TOO_SLOW));
    request.once("error", () => finish(TOO_SLOW));
  });
}

/** Reads and discards the rest of a body; calls `done` at its end, or when it comes too slowly. */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let length = 0;
  const finish = () => {
    stop();
    done();
  };
  const stop = keepPace(DISCARDING, () => length, finish);
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
  });
  request.once("end", finish);
  request.once("close", stop);
}

/** Calls `tooSlow` once, unless the returned function is called first. */
function keepPace(pace: Pace, lengthNow: () => number, tooSlow: () => void): () => void {
  let length = 0;
  let windows = 0;
  const look = () => {
    const brought = lengthNow() - length;
    length += brought;
    windows += 1;
    if (brought >= pace.leastBytes && windows < pace.windows) return;
    stop();
    tooSlow();
  };
  let next: NodeJS.Immediate | undefined;
  // Reads the sockets first: if the event loop is late, their data arrived in time.
  const timer = setInterval(() => {
    next = setImmediate(look);
  }, pace.windowMs);
  const stop = () => {
    clearInterval(timer);
    clearImmediate(next);
  };
  timer.unref();
  return stop;
}
