import type { IncomingMessage } from "node:http";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
/** The provider's return and the webhooks come from other sites and prove themselves otherwise. */
const OPEN_PATHS = /^\/(webhooks\/|payments\/callback$)/;

/**
 * True for a write that another site's page caused. Programs send neither header and pass; a
 * browser always sends one of them with a write. `path` as `canonicalPath` spells it.
 */
export function isCrossSiteWrite(
  request: Pick<IncomingMessage, "method" | "headers">,
  path: string,
  publicUrl: string,
): boolean {
  if (SAFE_METHODS.has(request.method ?? "GET")) return false;
  if (OPEN_PATHS.test(path)) return false;
  const site = request.headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return false;
  if (site === "cross-site") return true;
  const origin = request.headers.origin;
  if (origin === undefined) return site !== undefined;
  return origin !== publicUrl && !isOwnLoopback(origin, request.headers.host, publicUrl);
}

/** On one's own machine `localhost` and `127.0.0.1` are the same site under two names. */
function isOwnLoopback(origin: string, host: string | undefined, publicUrl: string): boolean {
  return (
    /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(publicUrl) && origin === `http://${host}`
  );
}
