import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadSeal, opening, sealing } from "./sealed-stream.server.ts";

const KEY = randomBytes(32);
const PIECE = 64 * 1024;

/** In pieces of any size, as files and networks give them. */
function flow(bytes: Buffer, size = 10_000): AsyncIterable<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return Readable.from(parts);
}

const sealed = (bytes: Buffer, name = "a") =>
  buffer(Readable.from(sealing(KEY, name)(flow(bytes))));
const opened = (bytes: Buffer, { key = KEY, name = "a", size = 10_000 } = {}) =>
  buffer(Readable.from(opening(key, name)(flow(bytes, size))));

describe("a sealed stream", () => {
  it("opens as what it was, of any length and in pieces of any size", async () => {
    for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 300_000]) {
      const bytes = randomBytes(length);
      const file = await sealed(bytes);
      for (const size of [7_919, PIECE, 1_000_000]) {
        expect((await opened(file, { size })).equals(bytes)).toBe(true);
      }
    }
  });

  it("shows nothing of what it holds, and is another each time", async () => {
    const bytes = Buffer.from("Kavya Menon ".repeat(1000));
    const [one, other] = [await sealed(bytes), await sealed(bytes)];
    expect(one.includes("Kavya")).toBe(false);
    expect(one.subarray(48, 2048).equals(other.subarray(48, 2048))).toBe(false);
  });

  it("says that it was made under another key", async () => {
    const file = await sealed(randomBytes(100));
    await expect(opened(file, { key: randomBytes(32) })).rejects.toThrow("under another key");
  });

  it("does not open under another name, nor what is none", async () => {
    const file = await sealed(randomBytes(100));
    await expect(opened(file, { name: "b" })).rejects.toBeInstanceOf(BadSeal);
    await expect(opened(randomBytes(100))).rejects.toThrow("no sealed copy");
    await expect(opened(Buffer.alloc(0))).rejects.toBeInstanceOf(BadSeal);
  });

  it("opens not when any byte is another, is missing, or comes twice", async () => {
    const file = await sealed(randomBytes(3 * PIECE));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(file.length - 1),
        fc.constantFrom("change", "cut", "twice", "drop"),
        async (at, what) => {
          const broken = Buffer.from(file);
          if (what === "change") broken[at]! ^= 1;
          const [start, end] = [broken.subarray(0, at), broken.subarray(at)];
          const bytes = {
            change: broken,
            cut: start,
            twice: Buffer.concat([start, end.subarray(0, 1), end]),
            drop: Buffer.concat([start, end.subarray(1)]),
          }[what];
          await expect(opened(bytes)).rejects.toBeInstanceOf(BadSeal);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("opens not without its last piece, nor with two of another order", async () => {
    const file = await sealed(randomBytes(3 * PIECE + 5));
    const whole = PIECE + 16;
    const head = file.subarray(0, 48);
    const piece = (n: number) => file.subarray(48 + n * whole, 48 + (n + 1) * whole);
    for (const order of [[0, 1, 2], [0, 2, 1, 3], [1, 0, 2, 3], [0]]) {
      const bytes = Buffer.concat([head, ...order.map(piece)]);
      await expect(opened(bytes)).rejects.toBeInstanceOf(BadSeal);
    }
  });
});
