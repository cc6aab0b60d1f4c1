/** One list of what a page may load, send to and be framed by. */
interface PolicyInput {
  /** CSP sources of the page's own inline scripts. */
  scripts: readonly string[];
  path: string;
  razorpay: { apiUrl: string; checkoutUrl: string };
  publicUrl: string;
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
