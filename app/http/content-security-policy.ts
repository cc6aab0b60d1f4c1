/** One list of what a page may load, send to and be framed by. */
import { hash } from "node:crypto";

interface PolicyInput {
  /** Its HTML as bytes. */
  page: Buffer;
  path: string;
  razorpay: { apiUrl: string; checkoutUrl: string };
  publicUrl: string;
}

/** Only these pages open the payment provider's checkout. */
const PAYING_PAGES = /^\/(booking\/[^/]+)?\/?$/;

/** The policy of a finished page: its own inline scripts are allowed by their hashes, no others. */
export function contentSecurityPolicy({ page, path, razorpay, publicUrl }: PolicyInput): string {
  const paying = PAYING_PAGES.test(path) ? providerHosts(razorpay) : null;
  const directives: Record<string, string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...inlineScriptHashes(page), ...(paying?.script ?? [])],
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
export function providerOrigins({ apiUrl, checkoutUrl }: PolicyInput["razorpay"]): string[] {
  return [...new Set([new URL(apiUrl).origin, new URL(checkoutUrl).origin])];
}

function providerHosts(razorpay: PolicyInput["razorpay"]) {
  const [api = "", checkout = api] = providerOrigins(razorpay);
  const real = api === "https://api.razorpay.com";
  const unique = (...hosts: string[]) => [...new Set(hosts)];
  return {
    script: unique(checkout, ...(real ? ["https://cdn.razorpay.com"] : [])),
    image: real ? ["https://cdn.razorpay.com"] : [],
    frame: unique(api, checkout),
    connect: unique(
      api,
      checkout,
      ...(real
        ? [
            "https://lumberjack.razorpay.com",
            "https://lumberjack-metrics.razorpay.com",
            "https://lumberjack-cx.razorpay.com",
          ]
        : []),
    ),
    form: [api],
  };
}

function inlineScriptHashes(page: Buffer): string[] {
  const hashes = new Set<string>();
  // One character for one byte: quick to make, and hashed as the bytes that the browser hashes.
  for (const [, attributes = "", code = ""] of page
    .toString("latin1")
    .matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\ssrc=/.test(attributes) || code === "") continue;
    if (/type="application\/(ld\+)?json"/.test(attributes)) continue;
    hashes.add(`'sha256-${hash("sha256", Buffer.from(code, "latin1"), "base64")}'`);
  }
  return [...hashes];
}
