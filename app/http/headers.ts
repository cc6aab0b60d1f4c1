/** Headers that every response carries, and those that depend on what was asked. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { providerOrigins } from "./content-security-policy.ts";

/** Of what is no page nothing runs; a page brings the policy of its own content. */
const NO_PAGE_POLICY =
  "default-src 'none'; script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What no page of ours uses; a card payment may ask the browser's payment handler. */
const UNUSED_FEATURES = [
  "accelerometer",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "serial",
  "usb",
];

/** Made once: they depend on the configuration alone. */
export function securityHeaders({
  publicUrl,
  razorpay,
}: Pick<Env, "publicUrl" | "razorpay">): [name: string, value: string][] {
  const payers = providerOrigins(razorpay).map((origin) => `"${origin}"`);
  const features = UNUSED_FEATURES.map((feature) => `${feature}=()`);
  const headers: [string, string][] = [
    ["X-Content-Type-Options", "nosniff"],
    ["X-Frame-Options", "DENY"],
    // `no-referrer` would make browsers send `Origin: null` with native forms, which are then refused.
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["Content-Security-Policy", NO_PAGE_POLICY],
    // Banks open pop-ups from the checkout and speak to it, so no stricter value is possible.
    ["Cross-Origin-Opener-Policy", "same-origin-allow-popups"],
    ["Permissions-Policy", [...features, `payment=(self ${payers.join(" ")})`].join(", ")],
  ];
  if (publicUrl.startsWith("https:")) {
    headers.push(["Strict-Transport-Security", "max-age=31536000; includeSubDomains"]);
  }
  return headers;
}

/** Pages about one person: kept by no cache, found by no search engine. */
const PRIVATE_PATHS = /^\/(admin|booking|api|calendar|find-booking|webhooks|payments)(\/|\.|$)/;

/** `path` as `canonicalPath` spells it. What answers a form or a cookie is one person's too. */
export function setPathHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const isPrivate = PRIVATE_PATHS.test(path);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const knowsVisitor = path === "/" && request.headers.cookie?.includes(OWN_BOOKING_COOKIE);
  response.setHeader(
    "Cache-Control",
    isPrivate || !isRead || knowsVisitor ? "private, no-store" : "no-cache",
  );
  if (isPrivate) {
    response.setHeader("X-Robots-Tag", "noindex");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  }
}
