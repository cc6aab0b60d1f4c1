import fc from "fast-check";
import { S3NetworkError } from "s3mini";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import {
  copiesToRemove,
  copyName,
  madeAtOf,
  type OffSite,
  openStore,
} from "./copy-store.server.ts";

const NOW = Date.UTC(2026, 10, 23, 5, 30);
const hourly = (days: number) =>
  Array.from({ length: days * 24 }, (_, n) => copyName(NOW - n * HOUR));

describe("the names of copies", () => {
  it("say when each was made", () => {
    expect(copyName(NOW)).toBe("bookings-20261123T053000Z.db.zst.sealed");
    expect(madeAtOf(copyName(NOW))).toBe(NOW);
    for (const other of ["erasures.sealed", "bookings-20261123T053000Z.db", ""]) {
      expect(madeAtOf(other)).toBeNull();
    }
  });

  it("are all kept for a day, then the newest of each hour, then of each day, until their days are over", () => {
    const minutes = Array.from({ length: 60 * 48 }, (_, n) => copyName(NOW - n * MINUTE));
    const thinned = new Set(copiesToRemove(minutes, NOW, 30));
    expect(minutes.filter((name) => !thinned.has(name))).toHaveLength(24 * 60 + 1 + 25);

    const names = hourly(40);
    const gone = new Set(copiesToRemove(names, NOW, 30));
    const kept = names.filter((name) => !gone.has(name)).map((name) => madeAtOf(name)!);
    expect(kept.filter((at) => NOW - at <= 2 * DAY)).toHaveLength(49);
    const older = kept.filter((at) => NOW - at > 2 * DAY);
    expect(older.every((at) => NOW - at <= 30 * DAY)).toBe(true);
    const days = older.map((at) => Math.floor(at / DAY));
    expect(new Set(days).size).toBe(older.length);
    expect(older).toHaveLength(29);
  });

  it("never lose the newest, and nothing that is no copy", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400 * DAY), { maxLength: 40 }), fc.nat(60), (ages, keepDays) => {
        // A store has a name once.
        const names = [...new Set(ages.map((age) => copyName(NOW - age)))];
        const gone = copiesToRemove([...names, "erasures.sealed"], NOW, keepDays);
        const newest = names.toSorted().at(-1);
        expect(gone).not.toContain(newest);
        expect(gone).not.toContain("erasures.sealed");
        // Thinning again finds nothing more.
        const left = names.filter((name) => !gone.includes(name));
        expect(copiesToRemove(left, NOW, keepDays)).toEqual([]);
      }),
    );
  });
});

describe("a store that cannot be reached", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["by its code", new S3NetworkError("S3 network error", "ENOTFOUND"), "ENOTFOUND"],
    ["in its own words", new S3NetworkError("the line is down"), "the line is down"],
  ])("is named to the owner %s", async (_, error, words) => {
    vi.stubGlobal("fetch", () => Promise.reject(error));
    const offSite: OffSite = {
      endpoint: "https://store.example.in",
      bucket: "copies",
      region: "auto",
      accessKeyId: "key",
      secretAccessKey: "secret",
      encryptionKey: Buffer.alloc(32),
      prefix: "",
      everyHours: 1,
      keepDays: 30,
      afterSeconds: 300,
      partBytes: 8 * 2 ** 20,
      pauseMs: 0,
    };
    await expect(openStore(offSite).list()).rejects.toThrow(`The store could not list: ${words}.`);
  });
});
