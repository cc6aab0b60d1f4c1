import fc from "fast-check";
import { matchRoutes } from "react-router";
import { beforeAll, describe, expect, it } from "vitest";
import { PATHS } from "#tests/fuzz/fuzz-targets.ts";
import { canonicalPath, MOST_SEGMENTS, readPath } from "./path.ts";

describe("a path in one spelling", () => {
  it("is that of the page however its address is written", () => {
    for (const [url, path] of [
      ["/", "/"],
      ["/?index", "/"],
      ["/booking/x/_.data", "/booking/x"],
      ["/booking/x_.data", "/booking/x_"],
      ["/booking/x%2edata", "/booking/x.data"],
      ["/booking/a%2fpay", "/booking/a%2fpay"],
      ["/_.data", "/"],
      ["/API/Slots/?date=x", "/api/slots"],
      ["/api/./slots", "/api/slots"],
      ["/x/../api/slots", "/api/slots"],
      ["/%61pi/slots", "/api/slots"],
      ["/Booking/ABC.data", "/booking/abc"],
      ["/booking/%E0%A4%85", "/booking/अ"],
    ] as const) {
      expect(canonicalPath(url), url).toBe(path);
    }
  });

  it("is none for what no page can have", () => {
    for (const url of [
      "",
      "x",
      "//evil.example/",
      "/\\evil.example/",
      "/%ff",
      "/%",
      "/a%00b",
      "/a%0d%0ab",
      "/api/a%0ab.data",
      "/Api/x.data",
    ]) {
      expect(canonicalPath(url), url).toBe(null);
    }
    expect(canonicalPath(undefined)).toBe(null);
  });
});

describe("the framework's own reading of an address", () => {
  let getNormalizedPath: (request: { url: string }) => { pathname: string };
  beforeAll(async () => {
    const file = "../../node_modules/react-router/dist/production/lib/server-runtime/urls.js";
    ({ getNormalizedPath } = await import(file));
  });
  const routes = PATHS.map((path) => ({ id: path, path }));
  /** The route and its parameters, of either case here; ours keeps an encoded slash as it is. */
  const matched = (pathname: string) => {
    const found = matchRoutes(routes, { pathname })?.at(-1);
    const params = JSON.stringify(found?.params)?.replaceAll("/", "%2f");
    return `${found?.route.id} ${params}`.toLowerCase();
  };
  const byFramework = (url: string) =>
    matched(getNormalizedPath({ url: new URL(url, "http://a.invalid").href }).pathname);
  const byUs = (url: string) => {
    const path = canonicalPath(url);
    return path && matched(path.split("/").map(encodeURIComponent).join("/"));
  };

  it("is the same as ours, whatever is written", () => {
    const written = (text: string) =>
      fc.constantFrom(
        text,
        text.toUpperCase(),
        [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
        text.replace("a", "%61"),
      );
    const odd = "_ _.data .data x.data _root %2f %252f . .. %2e%2e %".split(" ");
    const segment = fc.oneof(
      fc.constantFrom(...PATHS.flatMap((path) => path.split("/"))).chain(written),
      fc.constantFrom(...odd, "", "%5f.data", "_%2edata", "é", "%e0%a4%85"),
      fc.string({ maxLength: 4 }),
    );
    const path = fc.constantFrom(...PATHS).chain((one) => written(one.replace(/:\w+/g, "abc")));
    const free = fc.array(segment, { maxLength: 5 }).map((all) => `/${all.join("/")}`);
    const end = fc.constantFrom("", ..."/ // .data /_.data _.data /.data .DATA ?x".split(" "));
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(path, free), end, end, (start, one, other) => {
        const url = start + one + other;
        if (canonicalPath(url) === null) return;
        read += 1;
        expect(byUs(url), url).toBe(byFramework(url));
      }),
      { numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(400);
  });
});

describe("the length of an address", () => {
  const codeOf = (url: string) => {
    const read = readPath(url);
    return read.ok ? "taken" : read.code;
  };
  const many = (count: number, part: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => part(i));
  const id = "abcdefghijkmnpqrstuvwxyz23";

  it("may be more than twice that of ours", () => {
    for (const path of PATHS) {
      const url = path.replace(/:\w+/g, "%E0%A4%85".repeat(5));
      expect(readPath(url).ok, path).toBe(true);
      expect(url.length, path).toBeLessThan(128);
      expect(path.split("/").length - 1, path).toBeLessThan(MOST_SEGMENTS);
    }
  });

  it("bounds the path, its segments, the query and its pairs", () => {
    for (const [url, code] of [
      [`/${"a".repeat(254)}`, "taken"],
      [`/${"a".repeat(255)}`, "uri_too_long"],
      [`/${"%61".repeat(85)}`, "uri_too_long"],
      [`/${"a/".repeat(7_900)}`, "uri_too_long"],
      [`/x${"#".repeat(300)}`, "uri_too_long"],
      ["/a/b/c/d/e/f/g/h", "taken"],
      ["/a/b/c/d/e/f/g/h/i", "not_found"],
      [`/admin${"/".repeat(100)}`, "not_found"],
      [`/admin?q=${"a".repeat(4_000)}`, "taken"],
      [`/admin?q=${"a".repeat(5_000)}`, "uri_too_long"],
      [`/admin?${"a&".repeat(63)}`, "taken"],
      [`/admin?${"a&".repeat(64)}`, "uri_too_long"],
    ] as const) {
      expect(codeOf(url), url.slice(0, 40)).toBe(code);
    }
  });

  it("bounds what a manifest is asked for, path by path", () => {
    const ask = (paths: string[]) =>
      codeOf(`/__manifest?${new URLSearchParams({ paths: paths.join(","), version: "1a2b3c4d" })}`);
    const rows = many(110, (i) => `/admin/appointments/${id.slice(3)}${i}/cancel`);
    expect(ask(rows.slice(0, 100))).toBe("taken");
    expect(ask(many(151, String))).toBe("uri_too_long");
    expect(ask([...rows, ...rows])).toBe("uri_too_long");
    for (const path of ["a/".repeat(9), "x".repeat(255), "//evil.example", "/%", "/a%00"]) {
      expect(ask(["/admin", path]), path).toBe("uri_too_long");
    }
    expect(codeOf(`/__manifest?paths=/admin&${"a".repeat(7_700)}`)).toBe("uri_too_long");
    expect(codeOf(`/x/../__manifest?paths=${"a/".repeat(9)}`)).toBe("uri_too_long");
  });
});
