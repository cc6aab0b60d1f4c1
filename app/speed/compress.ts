/** Sends text responses compressed, and passes on bodies as bytes instead of streams. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";

export type Encoding = "br" | "gzip";

/** Shorter texts are not compressed. */
const MIN_BYTES = 1_000;
const MOST_CHOSEN = 100;
const LONGEST_ACCEPTED = 256;

/** Accept-Encoding → encoding. Browsers send few different values, and parsing one takes long. */
const chosen = new Map<string, Encoding | null>();

/** Sends the bytes of a text, compressed if that pays, after the other headers have been set. */
export async function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  plain: Buffer,
): Promise<void> {
  const encoding = plain.length < MIN_BYTES ? null : chooseEncoding(request);
  const bytes = encoding === null ? plain : await compress(plain, encoding);
  if (encoding !== null) response.setHeader("Content-Encoding", encoding);
  response.setHeader("Content-Length", bytes.length);
  if (request.method === "HEAD") response.end();
  // Node sends a short string in one piece with the headers, but bytes in a second piece.
  else if (bytes.length < MIN_BYTES) response.end(bytes.toString("latin1"), "latin1");
  else response.end(bytes);
}

/** The encoding that the client prefers, of equal ones the smallest; null for none. */
export function chooseEncoding(request: Pick<IncomingMessage, "headers">): Encoding | null {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (accepted.length > LONGEST_ACCEPTED) return null;
  const known = chosen.get(accepted);
  if (known !== undefined) return known;
  const best = new Negotiator({ headers: { "accept-encoding": accepted } }).encoding(
    ["br", "gzip", "identity"],
    { preferred: ["br", "gzip"] },
  );
  const encoding = best === "br" || best === "gzip" ? best : null;
  if (chosen.size >= MOST_CHOSEN) chosen.clear();
  chosen.set(accepted, encoding);
  return encoding;
}

export function compress(bytes: Buffer, encoding: Encoding, quality = 3): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(bytes, { level: 6 });
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
    },
  });
}

/** A window as long as the text: the default of 4 MB would be cleared for each text. */
function windowBits(length: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(length + 16))));
}

/**
 * The bytes of finished responses, which have no body of their own: making a stream costs a tenth of
 * a page's rendering, and reading it back costs more.
 */
const bodies = new WeakMap<Response, Buffer>();

/** To be passed on as it is: a copy of the response has no body. */
export function finishedResponse(
  bytes: Buffer,
  { status = 200, headers = {} }: Pick<ResponseInit, "status" | "headers">,
): Response {
  const response = new Response(null, { status, headers });
  bodies.set(response, bytes);
  return response;
}

/** The bytes of the body; null without one. */
export async function bytesOf(response: Response): Promise<Buffer | null> {
  const finished = bodies.get(response);
  if (finished) return finished;
  return response.body === null ? null : Buffer.from(await response.arrayBuffer());
}
