/** How an answer goes out: a response of the framework, a refusal before it is asked, a file of the build. */

import type { ReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import sirv from "sirv";
import type { Metrics } from "#app/core/deps.server.ts";
import { type Failure, type FailureCode, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { bytesOf, chooseEncoding, sendText } from "#app/speed/compress.ts";
import { carriesBody, discardRest } from "./body.ts";

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

const POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/** The client was slow, or room is needed: what is still to come is not waited for. */
const NO_WAIT = new Set<FailureCode>(["request_timeout", "unavailable"]);

export function refuseWith(metrics: Pick<Metrics, "refused">) {
  return (request: IncomingMessage, response: ServerResponse, refusal: Failure): void => {
    if (!request.destroyed) metrics.refused(refusal.code);
    send(request, response, refusal);
  };
}

function send(request: IncomingMessage, response: ServerResponse, refusal: Failure): void {
  const { type, body } = bodyOf(request, refusal);
  response.statusCode = STATUS_OF_CODE[refusal.code];
  if (refusal.retryAfter) response.setHeader("Retry-After", Math.ceil(refusal.retryAfter));
  response.setHeader("Cache-Control", "private, no-store");
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  if (type === "text/html") response.setHeader("Content-Security-Policy", POLICY);
  response.setHeader("Content-Length", Buffer.byteLength(body));
  const isRead = !carriesBody(request) || request.complete;
  if (!isRead) response.setHeader("Connection", "close");
  if (isRead || NO_WAIT.has(refusal.code)) {
    response.end(request.method === "HEAD" ? undefined : body);
    return;
  }
  // Closed while more comes, the connection is reset, and the answer is lost with it.
  response.write(body);
  discardRest(request, () => response.end());
}

/** `message` never holds what the request said. */
function bodyOf(request: IncomingMessage, { code, message }: Failure) {
  if (/^\/(api|webhooks)\//i.test(request.url ?? "")) {
    const body = JSON.stringify({ status: "error", code, message });
    return { type: "application/json", body };
  }
  if (!request.headers.accept?.includes("text/html")) {
    return { type: "text/plain", body: `${message}\n` };
  }
  const isAdmin = /^\/admin\b/i.test(request.url ?? "");
  const back = carriesBody(request)
    ? "<p>Go back in your browser: what you typed is still there.</p>\n"
    : "";
  const body = `<!doctype html>
<html lang="en-IN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${code === "not_found" ? "Page Not Found" : "Please try again"}</title>
<p>${message}</p>
${back}<p>${isAdmin ? '<a href="/admin">Go to the start page</a>' : '<a href="/">Go to the booking page</a>'}</p>
</html>
`;
  return { type: "text/html", body };
}

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Serves the client build: hashed assets for ever, the other public files for an hour. */
export function staticFiles(folder: string): Handler {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    dotfiles: false,
    setHeaders(response, path) {
      response.setHeader(
        "Cache-Control",
        path.startsWith("/assets/")
          ? "public, max-age=31536000, immutable"
          : "public, max-age=3600",
      );
    },
  });
  return (request, response, next) => {
    // It looks for names of encodings and reads no weights.
    request.headers["accept-encoding"] = chooseEncoding(request) ?? "identity";
    // A range that ends before it starts makes it throw; our files are small.
    delete request.headers.range;
    // It leaves a file open whose reader goes away, and ends the process with one that is gone.
    response.once("pipe", (file: ReadStream) => {
      response.once("close", () => file.destroy());
      file.once("error", () => response.destroy());
    });
    serve(request, response, next);
  };
}
