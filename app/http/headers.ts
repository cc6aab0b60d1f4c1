/** Headers: those that every response carries, those that depend on what was asked, a page's policy, and what a request's headers say of its origin. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { Env } from "#app/core/env.server.ts";

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
const PRIVATE_PATHS =
  /^\/(rating|admin|booking|guardian|api|calendar|find-booking|webhooks|payments)(\/|\.|$)/;

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

type Provider = Pick<Env["razorpay"], "apiUrl" | "checkoutUrl">;

/** Of a page; `scripts` are the CSP sources of its own inline scripts. */
interface PolicyInput extends Pick<Env, "publicUrl"> {
  scripts: readonly string[];
  path: string;
  razorpay: Provider;
}

/** Only these pages open the payment provider's checkout. */
const PAYING_PAGES = /^\/(booking\/[^/]+)?\/?$/;

/** The policy of a page: its own inline scripts are allowed by nonce or hash, no others. */
export function contentSecurityPolicy({ scripts, path, razorpay, publicUrl }: PolicyInput): string {
  const paying = PAYING_PAGES.test(path) ? providerHosts(razorpay) : null;
  const directives: Record<string, string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...scripts, ...(paying?.script ?? [])],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", ...(paying?.image ?? [])],
    "connect-src": ["'self'", ...(paying?.connect ?? [])],
    "frame-src": paying?.frame ?? ["'none'"],
    "form-action": ["'self'", ...(paying?.form ?? [])],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
  };
  if (publicUrl.startsWith("https:")) directives["upgrade-insecure-requests"] = [];
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(" "))
    .join("; ");
}

/** The provider's API and the host of its script: one unless they are the real ones. */
function providerOrigins({ apiUrl, checkoutUrl }: Provider): string[] {
  return [...new Set([new URL(apiUrl).origin, new URL(checkoutUrl).origin])];
}

function providerHosts(razorpay: Provider) {
  const origins = providerOrigins(razorpay);
  const [api = "", checkout = api] = origins;
  const isReal = api === "https://api.razorpay.com";
  const files = isReal ? ["https://cdn.razorpay.com"] : [];
  const measures = ["lumberjack", "lumberjack-metrics", "lumberjack-cx"];
  return {
    script: [checkout, ...files],
    image: files,
    frame: origins,
    connect: [
      ...origins,
      ...(isReal ? measures.map((host) => `https://${host}.razorpay.com`) : []),
    ],
    form: [api],
  };
}

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
