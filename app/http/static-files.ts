import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Serves the client build: hashed assets for ever, the other public files for an hour. */
export function staticFiles(folder: string): Handler {
  return sirv(folder, {
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
}
