/** One spelling of a path, so that no rule is evaded by writing an address in another way. */

const BASE = "http://path.invalid";
const CONTROL = /\p{Cc}/u;

/** Calls answer JSON; the encoding of a client navigation is for pages. */
const CALL_AS_PAGE = /^\/(api|webhooks)\/.*\.data\/*$/;

/**
 * The path as the router matches it: without query, decoded, in lower case, without a slash at its
 * end, and without the `.data` of a client navigation. Null for one that no page can have.
 */
export function canonicalPath(url: string | undefined): string | null {
  // A browser reads a backslash as a slash, and two slashes as another host.
  if (!url?.startsWith("/") || url.startsWith("//") || url.includes("\\")) return null;
  try {
    const { pathname, host } = new URL(url, BASE);
    if (host !== "path.invalid") return null;
    const path = decodeURIComponent(pathname).toLowerCase();
    if (CONTROL.test(path) || CALL_AS_PAGE.test(path)) return null;
    const page = path.replace(/\.data$/, "").replace(/\/+$/, "");
    return page === "" || page === "/_root" || page === "/_" ? "/" : page;
  } catch {
    return null;
  }
}
