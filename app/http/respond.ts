/** Sends a Fetch response over Node, compressed when that pays. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { sendResponse } from "@remix-run/node-fetch-server";

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
  if (!COMPRESSIBLE.test(type) || answer.headers.has("content-encoding") || answer.body === null) {
    await sendResponse(response, withVary(answer, type));
    return;
  }
  const plain = Buffer.from(await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  headers.append("Vary", "Accept-Encoding");
  const encoding = plain.length < MIN_BYTES ? null : chooseEncoding(request);
  const bytes = encoding === null ? plain : await compress(plain, encoding);
  if (encoding !== null) headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(bytes.length));
  await sendResponse(
    response,
    new Response(request.method === "HEAD" ? null : new Uint8Array(bytes), {
      status: answer.status,
      headers,
    }),
  );
}

export type Encoding = "br" | "gzip";

export function chooseEncoding(request: IncomingMessage): Encoding | null {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (/\bbr\b(?!;q=0(\.0+)?\b)/.test(accepted)) return "br";
  return /\bgzip\b(?!;q=0(\.0+)?\b)/.test(accepted) ? "gzip" : null;
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(bytes, { level: 6 });
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

function withVary(answer: Response, type: string): Response {
  if (!COMPRESSIBLE.test(type)) return answer;
  const headers = new Headers(answer.headers);
  headers.append("Vary", "Accept-Encoding");
  return new Response(answer.body, { status: answer.status, headers });
}
