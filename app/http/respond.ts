/** Sends a Fetch response over Node, compressed when that pays. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { sendResponse } from "@remix-run/node-fetch-server";
import Negotiator from "negotiator";
import { bytesOf } from "./finished-response.ts";

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|ld\+json)|image\/svg)/;
const MIN_BYTES = 1_000;

export async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  // The framework refuses methods that a page does not have, but names none that it has.
  if (answer.status === 405 && !answer.headers.has("allow"))
    response.setHeader("Allow", "GET, HEAD");
  const isText = COMPRESSIBLE.test(type) && !answer.headers.has("content-encoding");
  const plain = isText ? await bytesOf(answer) : null;
  if (plain === null) {
    await sendResponse(response, withVary(answer, type));
    return;
  }
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === "set-cookie") response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  response.setHeader("Vary", joinVary(answer.headers.get("vary")));
  await sendText(request, response, plain);
}

/** Sends the bytes of a text, compressed when that pays; the other headers are set already. */
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
  // Text goes out in one piece with the head, bytes in a second piece.
  else if (bytes.length < MIN_BYTES) response.end(bytes.toString("latin1"), "latin1");
  else response.end(bytes);
}

export type Encoding = "br" | "gzip";

/** Browsers send a handful of short texts; to read one takes longer than to find a kept page. */
const chosen = new Map<string, Encoding | null>();
const MOST_CHOSEN = 100;
const LONGEST_ACCEPTED = 256;

/** What the client likes best, of equals what is smallest; null: as it is. */
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

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(bytes, { level: 6 });
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
    },
  });
}

/** As long as the text and no longer: the usual window of 4 MB is filled with zeros each time. */
function windowBits(length: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(length + 16))));
}

function withVary(answer: Response, type: string): Response {
  if (!COMPRESSIBLE.test(type)) return answer;
  const headers = new Headers(answer.headers);
  headers.set("Vary", joinVary(headers.get("vary")));
  return new Response(answer.body, { status: answer.status, headers });
}

function joinVary(own: string | null): string {
  return own === null ? "Accept-Encoding" : `${own}, Accept-Encoding`;
}
