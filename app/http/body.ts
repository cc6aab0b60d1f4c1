/** Reads bodies: how long one may be, and how slowly it may come. */
import type { IncomingMessage } from "node:http";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import type { Place } from "./admission.ts";

const KIB = 1024;
const LIMIT = 64 * KIB;
/** Twenty long answers in Hindi, of nine bytes a letter, and what a form was filled with. */
const ADMIN_FORM_LIMIT = 256 * KIB;
const WEBHOOK_LIMIT = 3 * KIB * KIB;
const PORTRAIT_LIMIT = 4 * KIB * KIB;
const PORTRAIT_CALL = /^\/api\/admin\/(counselors\/[^/]+\/portrait|settings\/logo)$/;
/** Also that of the logo. */
export const PORTRAIT_FORM = /^\/admin\/(catalogue\/captains\/[^/]+\/portrait|settings\/logo)$/;
/** What a form puts around its file. */
const AROUND_FILE = 4 * KIB;

/** What must come in each window, the end of the body aside, and in how many windows it must end. */
interface Pace {
  windowMs: number;
  leastBytes: number;
  windows: number;
}

const READING: Pace = { windowMs: 10_000, leastBytes: 4 * KIB, windows: 12 };
/** A refused body is read on, so that the refusal reaches a client that keeps sending. */
const DISCARDING: Pace = { windowMs: 1_000, leastBytes: 1, windows: 10 };

const TOO_SLOW = failure(
  "request_timeout",
  "This took too long to reach us. Please check your connection and try again.",
);

export function bodyLimit(path: string): number {
  if (path.startsWith("/webhooks/")) return WEBHOOK_LIMIT;
  if (PORTRAIT_CALL.test(path)) return PORTRAIT_LIMIT;
  if (PORTRAIT_FORM.test(path)) return PORTRAIT_LIMIT + AROUND_FILE;
  return /^\/admin(\/|\.data$|$)/.test(path) ? ADMIN_FORM_LIMIT : LIMIT;
}

function tooLarge(limit: number) {
  const most = limit < KIB * KIB ? `${limit / KIB} kB` : `${Math.floor(limit / KIB / KIB)} MB`;
  return failure("too_large", `This is too much to send at once. Please send at most ${most}.`);
}

export function carriesBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
}

const NO_BODY = success(Buffer.alloc(0));

/** Memory that a chunk costs beside its bytes: a client may send one byte a chunk. */
const CHUNK_BYTES = 256;

/**
 * Reads the whole body. Refusals: `too_large` (longer than `limit` bytes), `request_timeout` (too
 * slow, or the client went away), and what `place` refuses for want of room.
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

/** Throws away what is still to come of a body, and calls `done` at its end, or when that is far. */
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

/** Calls `tooSlow` once, unless the function that it returns is called before. */
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
  // What waits on the sockets is taken first: it came in time if the event loop is late.
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
