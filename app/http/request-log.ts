/** One log line per request, without anything that names a person or opens a private page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";

/** Private ids and secrets in a path become their kind: `/booking/:id`. */
export function maskPath(path: string): string {
  return path
    .split("?")[0]!
    .split("/")
    .map((segment) => (/^[a-z0-9]{20,}(\.[a-z]+)?$/i.test(segment) ? ":id" : segment.slice(0, 60)))
    .join("/");
}

export function logWhenDone(
  log: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  context: { requestId: string; startedAt: number },
): void {
  response.once("close", () => {
    const line = {
      requestId: context.requestId,
      method: request.method,
      path: maskPath(request.url ?? "/"),
      status: response.statusCode,
      ms: Math.round((performance.now() - context.startedAt) * 10) / 10,
    };
    if (response.statusCode >= 500) log.warn(line, "request");
    else log.info(line, "request");
  });
}
