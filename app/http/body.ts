import type { IncomingMessage, ServerResponse } from "node:http";
import { failure, type Outcome, success } from "#app/lib/outcome.ts";

const KIB = 1024;
const LIMIT = 64 * KIB;
const WEBHOOK_LIMIT = 3 * KIB * KIB;
/** How long a refused body is still read, so that the refusal reaches a client that keeps sending. */
const DRAIN_MS = 10_000;

const TOO_LARGE = failure("too_large", "This is more than we accept in one go.");
const BUSY = failure(
  "unavailable",
  "We cannot take this right now. Please try again in a moment.",
  {
    retryAfter: 5,
  },
);

/** The most bytes a request to this path may carry. */
export function bodyLimit(path: string): number {
  return path.startsWith("/webhooks/") ? WEBHOOK_LIMIT : LIMIT;
}

/** Large bodies read at once: strangers may send them too, and the machine is small. */
const MOST_LARGE = 16;
let largeBodies = 0;

const NO_BODY = success(Buffer.alloc(0));

/**
 * Reads the whole body. Refusals: `too_large` (longer than `limit` bytes, or the client went away),
 * `unavailable` (too many large ones at once).
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Outcome<Buffer>> {
  const { "content-length": announced = "0", "transfer-encoding": coding } = request.headers;
  if (Number(announced) > limit) return Promise.resolve(TOO_LARGE);
  if (Number(announced) === 0 && coding === undefined) return Promise.resolve(NO_BODY);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isLarge = false;
    const finish = (body: Outcome<Buffer>) => {
      request.removeListener("data", onData);
      if (isLarge) largeBodies -= 1;
      isLarge = false;
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) return finish(TOO_LARGE);
      if (length > LIMIT && !isLarge) {
        if (largeBodies >= MOST_LARGE) return finish(BUSY);
        isLarge = true;
        largeBodies += 1;
      }
      chunks.push(chunk);
    };
    request.on("data", onData);
    request.once("end", () => finish(success(Buffer.concat(chunks))));
    request.once("close", () => finish(TOO_LARGE));
    request.once("error", () => finish(TOO_LARGE));
  });
}

/** Throws the rest of a refused body away, then closes the connection. */
export function drain(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  response.setHeader("Connection", "close");
  request.on("data", () => {});
  request.resume();
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}
