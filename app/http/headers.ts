/** Headers that every response carries, whatever answered it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { OWN_BOOKING_COOKIE } from "#app/booking/own-booking.server.ts";

export function setSecurityHeaders(response: ServerResponse, publicUrl: string): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  // `no-referrer` would make browsers send `Origin: null` with native forms, which are then refused.
  response.setHeader("Referrer-Policy", "strict-origin-when-cross-origin");
  response.setHeader(
    "Permissions-Policy",
    "camera=(), geolocation=(), microphone=(), browsing-topics=()",
  );
  if (publicUrl.startsWith("https:")) {
    response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  }
}

/** Pages about one person: kept by no cache, found by no search engine. */
const PRIVATE_PATHS = /^\/(admin|booking|api|calendar|find-booking|webhooks|payments)(\/|\.|$)/;

/** `path` as `canonicalPath` spells it. A page that answers a form or a cookie is one person's. */
export function cacheControl(request: IncomingMessage, path: string): string {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const knows = path === "/" && request.headers.cookie?.includes(OWN_BOOKING_COOKIE);
  return PRIVATE_PATHS.test(path) || !isRead || knows ? "private, no-store" : "no-cache";
}
