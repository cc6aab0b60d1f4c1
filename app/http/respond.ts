/** Sends a Fetch response over Node, compressed when that pays. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import { sendText } from "#app/speed/compress.ts";
import { bytesOf } from "#app/speed/finished-response.ts";

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|ld\+json)|image\/svg)/;

/** The bytes of a text that is not compressed yet, read to its end; null for anything else. */
export async function textOf(answer: Response): Promise<Buffer | null> {
  const type = answer.headers.get("content-type") ?? "";
  const isText = COMPRESSIBLE.test(type) && !answer.headers.has("content-encoding");
  return isText ? bytesOf(answer) : null;
}

export async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  // The framework refuses methods that a page does not have, but names none that it has.
  if (answer.status === 405 && !answer.headers.has("allow"))
    response.setHeader("Allow", "GET, HEAD");
  const plain = await textOf(answer);
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

function withVary(answer: Response, type: string): Response {
  if (!COMPRESSIBLE.test(type)) return answer;
  const headers = new Headers(answer.headers);
  headers.set("Vary", joinVary(headers.get("vary")));
  return new Response(answer.body, { status: answer.status, headers });
}

function joinVary(own: string | null): string {
  return own === null ? "Accept-Encoding" : `${own}, Accept-Encoding`;
}
