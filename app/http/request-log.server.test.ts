import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PATHS } from "#tests/fuzz/fuzz-targets.ts";
import { canonicalPath } from "./path.ts";
import { maskPath, wordsOf } from "./request-log.server.ts";

const routes = Object.fromEntries(PATHS.map((path) => [path, { id: path, path: path.slice(1) }]));
const words = wordsOf(routes as unknown as Parameters<typeof wordsOf>[0]);
const mask = (url: string) => maskPath(canonicalPath(url), words);

/** What ids, tokens and secrets are made of. */
const secret = fc.string({
  unit: fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGHXYZ0123456789-_"),
  minLength: 8,
  maxLength: 64,
});
const around = fc.constantFrom(
  "",
  ...". .. .data .ics .ics.data .pdf ! , ) %20 % @ = ;x ~".split(" "),
);

/** The same written in another way. */
const written = (text: string) =>
  fc
    .constantFrom<(text: string) => string>(
      (same) => same,
      (same) => same.toUpperCase(),
      (same) =>
        [...same].map((c, i) => (i % 3 === 0 ? `%${c.charCodeAt(0).toString(16)}` : c)).join(""),
      encodeURIComponent,
    )
    .map((write) => write(text));

describe("a path in the log", () => {
  it("keeps the words of our own addresses", () => {
    for (const path of PATHS) {
      const shown = path.replace(/:\w+(\.\w+)?/g, ":id");
      expect(mask(path.replace(/:\w+/g, "abc123"))).toBe(shown);
    }
    for (const [url, shown] of [
      ["/", "/"],
      ["/?token=x", "/"],
      ["/_.data?index", "/"],
      ["/Privacy.data", "/privacy"],
      ["/privacy/_.data", "/privacy"],
      ["/__manifest?paths=/booking/abc", "/__manifest"],
      ["/assets/framework-abc.js", "/assets/:id"],
      ["*", ":id"],
      ["", ":id"],
      ["http://evil.example/admin#x", ":id"],
    ] as const) {
      expect(mask(url), url).toBe(shown);
    }
  });

  it("never holds an id or a secret, wherever it stands and however it is written", () => {
    const place = fc.constantFrom(...PATHS, "/wp-login", "/booking/", "//", "/a/b/c/d/e/f/g/h/i");
    fc.assert(
      fc.property(place, secret, around, around, fc.nat(12), (path, id, before, after, at) => {
        const segments = path.replace(/:\w+/g, "abc123").split("/");
        segments.splice(at, 0, before + id + after);
        const shown = mask(segments.join("/")).toLowerCase();
        const known = [...words].some((word) => word.includes(id.toLowerCase()));
        return known || !shown.includes(id.toLowerCase());
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(
        secret.chain((id) => fc.tuple(fc.constant(id), written(id))),
        around,
        ([id, text], after) => {
          const shown = mask(`/booking/${text}${after}/cancel`);
          return [":id", "/booking/:id/cancel"].includes(shown) || words.has(id.toLowerCase());
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("is short, whatever was asked", () => {
    expect(mask(`/${"a/".repeat(8_000)}`).length).toBeLessThan(40);
    expect(mask(`/${"admin/".repeat(2_000)}`).length).toBeLessThan(60);
  });
});
