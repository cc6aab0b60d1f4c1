/** Response headers, a page's content security policy, and the check of a request's origin. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { OWN_BOOKING_COOKIE } from "#app/core/cookies.server.ts";
import type { Env } from "#app/core/env.server.ts";

/** For everything but pages, which replace it with their own. */
const NO_PAGE_POLICY =
  "default-src 'none'; script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    // Banks open pop-ups from the checkout and exchange messages with it, so it cannot be stricter.
    ["Cross-Origin-Opener-Policy", "same-origin-allow-popups"],
    ["Permissions-Policy", [...features, `payment=(self ${payers.join(" ")})`].join(", ")],
  ];
  if (publicUrl.startsWith("https:")) {
    headers.push(["Strict-Transport-Security", "max-age=31536000; includeSubDomains"]);
  }
  return headers;
}

/** Pages about one person: neither cached nor indexed. */
const PRIVATE_PATHS =
  /^\/(rating|admin|booking|guardian|api|calendar|find-booking|webhooks|payments)(\/|\.|$)/;

/** `path` is canonical. The response to a form or to a visitor's cookie is not cached either. */
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

interface PolicyInput extends Pick<Env, "publicUrl"> {
  /** CSP sources of the page's inline scripts. */
  scripts: readonly string[];
  path: string;
  razorpay: Provider;
}

/** Only these pages open the payment provider's checkout. */
const PAYING_PAGES = /^\/(booking\/[^/]+)?\/?$/;

/** A page's policy; of inline scripts only its own are allowed, by nonce or hash. */
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

/** The origins of the provider's API and of its script; in the sandbox they are the same. */
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
/** The provider's return and webhooks come from other sites and are verified in other ways. */
const OPEN_PATHS = /^\/(webhooks\/|payments\/callback$)/;

/**
 * True for a write that another site's page caused, by `Sec-Fetch-Site` and `Origin`. Programs send
 * neither and pass; a browser always sends one of them with a write. `path` is canonical.
 */
export function isCrossSiteWrite(
  request: Pick<IncomingMessage, "method" | "headers">,
  path: string,
  publicUrl: string,
): boolean {
  if (SAFE_METHODS.has(request.method ?? "GET")) return false;
  if (OPEN_PATHS.test(path)) return false;
  // A page of another site can set no such header without our consent (CORS), which nobody gets.
  if (/^bearer /i.test(request.headers.authorization ?? "")) return false;
  const site = request.headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return false;
  if (site === "cross-site") return true;
  const origin = request.headers.origin;
  if (origin === undefined) return site !== undefined;
  // On a developer's machine `localhost` and `127.0.0.1` are two names of the same site.
  const isLoopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(publicUrl);
  return origin !== publicUrl && !(isLoopback && origin === `http://${request.headers.host}`);
}
