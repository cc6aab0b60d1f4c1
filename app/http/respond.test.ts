import { describe, expect, it } from "vitest";
import { chooseEncoding } from "#app/speed/compress.ts";

const choose = (accepted: string | undefined) =>
  chooseEncoding({ headers: accepted === undefined ? {} : { "accept-encoding": accepted } });

describe("the encoding of an answer", () => {
  it("is what the client likes best, of equals the smallest", () => {
    for (const [accepted, encoding] of [
      [undefined, null],
      ["", null],
      ["gzip, deflate, br, zstd", "br"],
      ["GZIP, DEFLATE, BR", "br"],
      ["br;q=0.5", "br"],
      ["br ; q=0.5", "br"],
      ["gzip;q=0.9, br;q=0.5", "gzip"],
      ["gzip;q=0.5,br;q=0.5", "br"],
      ["identity;q=0.1, gzip;q=0.2", "gzip"],
      ["gzip;q=0.2, identity", null],
      ["*", "br"],
      ["*;q=0.1", "br"],
      ["br;q=0, *", "gzip"],
      ["*;q=0", null],
      ["gzip, *;q=0", "gzip"],
      ["identity;q=0", null],
      ["identity;q=0, br", "br"],
      ["x-br, brotli, gzipped, library", null],
    ] as const) {
      expect(choose(accepted), String(accepted)).toBe(encoding);
      expect(choose(accepted), `${accepted}, again`).toBe(encoding);
    }
  });

  it("is never one that the client refuses, however it writes that", () => {
    for (const zero of ["q=0", " q=0", "q=0.0", "q=0.000", "Q=0", "\tq=0", " q=0 "]) {
      expect(choose(`br;${zero}`), zero).toBe(null);
      expect(choose(`br ;${zero}, gzip;${zero}`), zero).toBe(null);
      expect(choose(`gzip, br;${zero}`), zero).toBe("gzip");
    }
    expect(choose("br;q=banana, gzip;q=-1, *;q=")).toBe(null);
  });

  it("is none for a text longer than anybody sends", () => {
    for (const part of ["br,", "br;", "br;q=0.1,", "*,", ";q=", "br; ", '"', "\\"]) {
      expect(choose(part.repeat(16_000 / part.length)), part).toBe(null);
    }
  });
});
