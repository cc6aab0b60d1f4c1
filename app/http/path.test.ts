import { describe, expect, it } from "vitest";
import { canonicalPath } from "./path.ts";

describe("a path in one spelling", () => {
  it("is that of the page however its address is written", () => {
    for (const [url, path] of [
      ["/", "/"],
      ["/?index", "/"],
      ["/_root.data?index", "/"],
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
