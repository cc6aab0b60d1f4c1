/** Answers that are given before React Router is asked: JSON for programs, plain text for people. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Failure, STATUS_OF_CODE } from "#app/lib/outcome.ts";

export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Failure): void {
  const isApi = /^\/(api|webhooks)\//.test(request.url ?? "");
  response.statusCode = STATUS_OF_CODE[refusal.code];
  if (refusal.retryAfter) response.setHeader("Retry-After", String(refusal.retryAfter));
  response.setHeader(
    "Content-Type",
    isApi ? "application/json; charset=utf-8" : "text/plain; charset=utf-8",
  );
  response.end(
    isApi
      ? JSON.stringify({ status: "error", code: refusal.code, message: refusal.message })
      : `${refusal.message}\n`,
  );
}
