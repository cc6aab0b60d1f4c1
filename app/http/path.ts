/** Canonical paths, so that no rule can be evaded by spelling an address in another way. */
import { failure, type Outcome, success } from "#app/model/outcome.ts";

/** Characters. The router tries every route on every path, so a long path would cost much time. */
const LONGEST_PATH = 255;
export const MOST_SEGMENTS = 8;
/** Characters. The sign-in's address contains the one to return to, for example a filtered list. */
const LONGEST_QUERY = 4_096;
const MOST_PAIRS = 64;

/** Where the framework's client asks for the routes behind a page's links. */
const MANIFEST = "/__manifest";
/** The client's own limit in characters, and the number of paths that fit into it. */
const LONGEST_MANIFEST = 7_680;
const MOST_LISTED = 150;

const BASE = "http://path.invalid";
const CONTROL = /\p{Cc}/u;

const NO_PAGE = /^\/(api|webhooks)(\/|$)|^\/(health|metrics)$|\.(ics|pdf|webp|css|txt|xml)$/;

/** True for a page and its forms; calls, webhooks and files know their own methods and bodies. */
export function isPage(path: string): boolean {
  return !NO_PAGE.test(path);
}

/** The ending of a client navigation: `/x.data` for `/x`, `/x/_.data` for `/x/`. */
const NAVIGATION = /(?<=\/)_\.data$|\.data$/;

const TOO_LONG = failure(
  "uri_too_long",
  "This address is longer than any of ours. Please check the link.",
);
const NOT_FOUND = failure("not_found", "Page Not Found");

/** The canonical path of a request. Refusals: `uri_too_long`, `not_found`. */
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

/** A manifest request's paths are matched like those of requests, so they have the same limits. */
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
 * The path as the router matches it, for every rule about paths: without query, each segment decoded,
 * in lower case, without a trailing slash or the ending of a client navigation. Null if no route can
 * match it.
 */
export function canonicalPath(url: string | undefined): string | null {
  // A browser reads a backslash as a slash, and two slashes as another host.
  if (!url?.startsWith("/") || url.startsWith("//") || url.includes("\\")) return null;
  try {
    const { pathname, host } = new URL(url, BASE);
    if (host !== "path.invalid" || pathname.split("/").length - 1 > MOST_SEGMENTS) return null;
    const page = pathname.replace(NAVIGATION, "");
    // Like the router, which does not take an encoded slash for a separator.
    const segments = page.split("/").map((one) => decodeURIComponent(one).replaceAll("/", "%2f"));
    const path = segments.join("/").toLowerCase();
    // No client navigation leads to anything else than a page.
    if (CONTROL.test(path) || (page !== pathname && !isPage(path))) return null;
    return path.replace(/\/+$/, "") || "/";
  } catch {
    return null;
  }
}
