import type { IncomingMessage, ServerResponse } from "node:http";

const KIB = 1024;
const LIMIT = 64 * KIB;
const WEBHOOK_LIMIT = 3 * KIB * KIB;
/** How long a refused body is still read, so that the refusal reaches a client that keeps sending. */
const DRAIN_MS = 10_000;

/** The most bytes a request to this path may carry. */
export function bodyLimit(path: string): number {
  return path.startsWith("/webhooks/") ? WEBHOOK_LIMIT : LIMIT;
}

/** Reads the whole body; null if it is longer than `limit` bytes or the client went away. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.resolve(null);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Buffer | null) => {
      request.removeListener("data", onData);
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) finish(null);
      else chunks.push(chunk);
    };
    request.on("data", onData);
    request.once("end", () => finish(Buffer.concat(chunks)));
    request.once("close", () => finish(null));
    request.once("error", () => finish(null));
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
