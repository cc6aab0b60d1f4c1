/** Answers that are given before React Router is asked: JSON for programs, a small page for people. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Metrics } from "#app/core/metrics.ts";
import { type Failure, type FailureCode, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { carriesBody, discardRest } from "./body.ts";

const POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

export type Refuse = (request: IncomingMessage, response: ServerResponse, refusal: Failure) => void;

/** The client was slow, or room is needed: what is still to come is not waited for. */
const NO_WAIT = new Set<FailureCode>(["request_timeout", "unavailable"]);

/** Counts each refusal by its code. */
export function refuseWith(metrics: Pick<Metrics, "refused">): Refuse {
  return (request, response, refusal) => {
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
