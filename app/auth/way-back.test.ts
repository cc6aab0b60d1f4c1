import fc from "fast-check";
import { expect, it } from "vitest";
import { pathAfterSignIn } from "./require-admin.server.ts";

it("leads after signing in only to the admin pages of this site, read as a browser reads it", () => {
  for (const path of [
    ...[null, "", "//elsewhere.example", "https://elsewhere.example/admin", "/administrator"],
    ...["/admin/../booking/x", "/\\elsewhere"],
    "/admin/.\t./\t/evil.example",
    "/admin/.\n./\r/evil.example",
    "/admin/%2e%2E//evil.example",
    "\t//evil.example/admin",
    "/\t/evil.example/admin",
    "javascript:/admin",
  ]) {
    expect([path, pathAfterSignIn(path)]).toEqual([path, "/admin"]);
  }
  expect(pathAfterSignIn("/admin\\@elsewhere")).toBe("/admin/@elsewhere");
  for (const path of ["/admin/slots?date=2026-12-01", "/admin?q=a"]) {
    expect(pathAfterSignIn(path)).toBe(path);
  }
});

it("leads after signing in, whatever is asked for, where a browser stays in the admin area", () => {
  const piece = fc.constantFrom(
    ..."/ \\ . .. \t \n \r %2e %2f %5c // admin evil.example @ : ? # https: \u0000".split(" "),
    ...["\t", "\n", "\r", "\u0000", "\\", " "],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const to = pathAfterSignIn(`/admin${pieces.join("")}`);
      const there = new URL(to, "https://book.example");
      expect([there.origin, /^\/admin(\/|$)/.test(there.pathname)]).toEqual([
        ...["https://book.example", true],
      ]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
      expect(to).not.toMatch(/[\u0000-\u0020]/);
    }),
    { numRuns: 2_000 },
  );
});
