/** One spelling of a path, so that no rule is evaded by writing an address in another way. */
import { failure, type Outcome, success } from "#app/model/outcome.ts";

/** The router tries every route on every path, and a page looks up each ancestor: ours are short. */
const LONGEST_PATH = 255;
export const MOST_SEGMENTS = 8;
/** The way back to a list with filters, inside the address of the sign-in, takes half of it. */
const LONGEST_QUERY = 4_096;
const MOST_PAIRS = 64;

/** Where the framework's client asks which routes the links of its page lead to. */
const MANIFEST = "/__manifest";
/** As long as that client makes it, and as many paths as then fit in. */
const LONGEST_MANIFEST = 7_680;
const MOST_LISTED = 150;

const BASE = "http://path.invalid";
const CONTROL = /\p{Cc}/u;

/** Calls answer JSON; the encoding of a client navigation is for pages. */
const CALL = /^\/(api|webhooks)(\/|$)/;
/** What the framework takes off a client navigation: of `/x` it is `/x.data`, of `/x/` `/x/_.data`. */
const NAVIGATION = /(?<=\/)_\.data$|\.data$/;

const TOO_LONG = failure(
  "uri_too_long",
  "This address is longer than any of ours. Please check the link.",
);
const NOT_FOUND = failure("not_found", "Page Not Found");

/** The path as `canonicalPath` spells it. Refusals: `uri_too_long`, `not_found`. */
export function readPath(url = ""): Outcome<string> {
  if (isTooLong(url)) return TOO_LONG;
  const path = canonicalPath(url);
  if (path === null) return NOT_FOUND;
  return path === MANIFEST && !isShortList(url) ? TOO_LONG : success(path);
}

function isTooLong(url: string): boolean {
  const mark = url.indexOf("?");
  if (mark === -1) return url.length > LONGEST_PATH;
  const longest = url.startsWith(`${MANIFEST}?`) ? LONGEST_MANIFEST : LONGEST_QUERY;
  if (mark > LONGEST_PATH || url.length - mark > longest) return true;
  return url.split("&", MOST_PAIRS + 1).length > MOST_PAIRS;
}

/** The paths that a manifest is asked for are matched like a request's own. */
function isShortList(url: string): boolean {
  const listed = new URL(url, BASE).searchParams.get("paths") ?? "";
  const paths = listed.split(",", MOST_LISTED + 1);
  return (
    paths.length <= MOST_LISTED &&
    paths.every((path) => {
      const url = path.startsWith("/") ? path : `/${path}`;
      return !isTooLong(url) && canonicalPath(url) !== null;
    })
  );
}

/**
 * The path as the router matches it, for all that asks by path: without query, each segment decoded,
 * in lower case, without a slash at its end, and without the end of a client navigation. Null for one
 * that no page can have.
 */
export function canonicalPath(url: string | undefined): string | null {
  // A browser reads a backslash as a slash, and two slashes as another host.
  if (!url?.startsWith("/") || url.startsWith("//") || url.includes("\\")) return null;
  try {
    const { pathname, host } = new URL(url, BASE);
    if (host !== "path.invalid" || pathname.split("/").length - 1 > MOST_SEGMENTS) return null;
    const page = pathname.replace(NAVIGATION, "");
    // As the router does: an encoded slash is none.
    const segments = page.split("/").map((one) => decodeURIComponent(one).replaceAll("/", "%2f"));
    const path = segments.join("/").toLowerCase();
    if (CONTROL.test(path) || (page !== pathname && CALL.test(path))) return null;
    return path.replace(/\/+$/, "") || "/";
  } catch {
    return null;
  }
}
