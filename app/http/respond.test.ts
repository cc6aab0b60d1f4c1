import { expect, it } from "vitest";
import { chooseEncoding } from "#app/speed/compress.ts";

it.each([
  [undefined, null],
  ["", null],
  ["gzip, deflate, br, zstd", "br"],
  ["GZIP, DEFLATE, BR", "br"],
  ["gzip;q=0.9, br;q=0.5", "gzip"],
  ["gzip;q=0.5,br;q=0.5", "br"],
  ["gzip;q=0.2, identity", null],
  ["*;q=0.1", "br"],
  ["gzip, br;\tq=0.000", "gzip"],
  ["identity;q=0", null],
  ["x-br, brotli, gzipped, library", null],
  // Longer than anybody sends.
  ["br,".repeat(100), null],
])("a client that accepts %j is answered in encoding %s", (accepted, encoding) => {
  const request = { headers: accepted === undefined ? {} : { "accept-encoding": accepted } };
  expect(chooseEncoding(request)).toBe(encoding);
  expect(chooseEncoding(request), "again").toBe(encoding);
});
