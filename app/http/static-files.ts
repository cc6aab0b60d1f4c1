import type { ReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";
import { chooseEncoding } from "#app/speed/compress.ts";

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
