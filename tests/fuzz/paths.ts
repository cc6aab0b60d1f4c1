/** Addresses of every length, depth and spelling, up to what Node reads as a head. */
import fc from "fast-check";
import { PATHS } from "./fuzz-targets.ts";
import type { Shot } from "./shot.ts";
import { OBJECT_NAMES } from "./values.ts";

/** Characters of an address; Node answers 431 for itself where a head passes 64 KiB. */
const LENGTHS = [200, 1_000, 3_000, 8_000, 60_000, 66_000];

const SEGMENTS = [
  ...["a/", "/", "./", "../", "%2e%2e/", "%2f", "%252e/", "..;/", ":id/", "*/", "a", "admin/"],
  ...[
    "booking/",
    "api/",
    "%61",
    "%c0%ae/",
    "%ff",
    "%",
    "%zz/",
    "%00",
    "a.data/",
    "é",
    "%e0%a4%85/",
  ],
  ...["__proto__/", "?", "&", "=", "#", ";a=1/", "\\", "~", "+", "%20", "[0]", "assets/"],
];
const ENDS = [
  "",
  ".data",
  "/.data",
  "_.data",
  "/_root.data",
  ".data.data",
  ".data/",
  "%2edata",
  ".DATA",
];
const QUERIES = [
  "",
  "?index",
  "?index&index",
  "?_routes=root",
  `?_routes=${"routes/admin,".repeat(900)}`,
];

const filled = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const part = fc.oneof(
  fc.constantFrom(...SEGMENTS),
  fc.array(fc.constantFrom(...SEGMENTS), { minLength: 2, maxLength: 4 }).map((all) => all.join("")),
  fc.constantFrom(...OBJECT_NAMES).map((name) => `${name}/`),
);
const base = fc.oneof(
  fc.constantFrom("", "/admin", "/booking", "/api", "/assets", "/calendar", "/api/invoice"),
  fc.constantFrom(...PATHS),
);
const long = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...LENGTHS) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
);

const deep = fc
  .tuple(base, part, long)
  .map(([start, one, length]) => `${start}/${filled(one, length)}`);
const spelt = fc
  .tuple(base, fc.array(part, { maxLength: 3 }), fc.nat(40))
  .map(([start, parts, at]) => `${start.slice(0, at)}${parts.join("")}${start.slice(at)}`);
const manifest = fc
  .tuple(
    fc.constantFrom("p", "paths", "__proto__", "p[]"),
    fc.oneof(part, base),
    long,
    fc.boolean(),
    fc.constantFrom("", "&version=x", "&version=__proto__"),
  )
  .map(([name, one, length, isMany, version]) => {
    const asked = one === "" ? "/" : one;
    const many = filled(`&${name}=${asked}`, length).slice(1);
    return `/__manifest?${isMany ? many : `${name}=${filled(`${asked},`, length)}`}${version}`;
  });
const query = fc
  .tuple(base, part, long, fc.constantFrom("?", "?q=", "?&", "?date=", "?a[0]=", "?x=1&"))
  .map(([start, one, length, begin]) => `${start || "/"}${begin}${filled(`${one}&`, length)}`);

/** Without a space, which would end it. */
const sendable = (path: string) =>
  (path.startsWith("/") || path === "*" ? path : `/${path}`).replace(/\s/g, "%20");

export function pathsArbitrary(headers: Shot["headers"]): fc.Arbitrary<Shot> {
  const path = fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: deep }, spelt, manifest, query),
      fc.constantFrom(...ENDS),
      fc.constantFrom(...QUERIES),
    )
    .map(([start, end, tail]) => sendable(start.includes("?") ? start : start + end + tail));
  return fc
    .record({
      path,
      method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "OPTIONS"),
      accept: fc.constantFrom("*/*", "text/html", "text/x-script"),
    })
    .map(({ path: to, method, accept }) => ({
      kind: "paths",
      target: to.startsWith("/__manifest") ? "/__manifest" : `/${/^\/(\w+)/.exec(to)?.[1] ?? ""}`,
      method,
      path: to,
      headers: [...headers, ["Accept", accept]],
      // Node itself refuses what is no address, or a head that is too long, and may cut it off.
      broken: to.length > 15_000 || /[^!-~]/.test(to),
    }));
}
