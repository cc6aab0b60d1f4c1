/** Sends responses of the framework, refusals before it is called, and files of the client build. */
import type { ReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import sirv from "sirv";
import type { Metrics } from "#app/core/deps.server.ts";
import { type Failure, type FailureCode, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { bytesOf, chooseEncoding, sendText } from "#app/speed/compress.ts";
import { carriesBody, discardRest } from "./body.ts";

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|ld\+json)|image\/svg)/;

/** The bytes of an uncompressed text response; null for any other. */
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
  // The framework does not name the methods that a page allows.
  if (answer.status === 405 && !answer.headers.has("allow"))
    response.setHeader("Allow", "GET, HEAD");
  if (COMPRESSIBLE.test(type)) answer.headers.append("Vary", "Accept-Encoding");
  const plain = await textOf(answer);
  if (plain === null) {
    await sendResponse(response, answer);
    return;
  }
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === "set-cookie") response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  await sendText(request, response, plain);
}

const POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/** The client is slow or memory is needed, so the rest of the body is not read. */
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
  // Closing the connection while the client sends would reset it, and lose the response.
  response.write(body);
  discardRest(request, () => response.end());
}

/** `message` needs no escaping: it never contains anything from the request. */
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

/** Serves the client build: hashed assets are cached for a year, other files for an hour. */
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
    // sirv ignores the weights of encodings.
    request.headers["accept-encoding"] = chooseEncoding(request) ?? "identity";
    // sirv throws for a range that ends before it starts; the files are small enough without ranges.
    delete request.headers.range;
    // sirv leaves the file open if the client disconnects, and handles no error of the file.
    response.once("pipe", (file: ReadStream) => {
      response.once("close", () => file.destroy());
      file.once("error", () => response.destroy());
    });
    serve(request, response, next);
  };
}
