import { describe, expect, it } from "vitest";
import { inTurn, QueueFull } from "#app/core/work-queue.server.ts";
import { hashPassword, verifyPassword } from "./password.server.ts";

describe("a password", () => {
  it("is kept as argon2id with 32 MiB and 3 passes, salted each time", async () => {
    const [one, two] = [await hashPassword("same"), await hashPassword("same")];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(two).not.toBe(one);
  });

  it("counts to its last character, with case, spaces and any script", async () => {
    const long = `${"a long sentence, अंतरिक्ष, ✈️ ".repeat(5)}end `;
    expect(long.length).toBeGreaterThan(64);
    const hash = await hashPassword(long);
    expect(await verifyPassword(hash, long)).toBe(true);
    for (const other of [
      long.slice(0, 64),
      long.slice(0, 72),
      long.trimEnd(),
      ` ${long}`,
      long.replace("a long", "A long"),
      long.replace("अं", "अ"),
    ]) {
      expect(await verifyPassword(hash, other), other).toBe(false);
    }
  });

  it("is the same from keyboards that spell a letter in two ways", async () => {
    expect(await verifyPassword(await hashPassword("caf\u00e9"), "cafe\u0301")).toBe(true);
  });

  it("of an unknown account is wrong, whatever it is", async () => {
    expect(await verifyPassword(null, "")).toBe(false);
  });
});

describe("the queue before a password", () => {
  /** In the order in which they come to an end. */
  const ended: string[] = [];
  const attempt = async (name: string, from: string | null) => {
    try {
      await verifyPassword(null, "wrong", { from });
      ended.push(name);
      return true;
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      return false;
    }
  };

  it("has four places for one network, whatever its addresses, and places for others", async () => {
    const crowd = Array.from({ length: 30 }, (_, i) => attempt("crowd", `198.51.100.${i}`));
    const ipv6 = Array.from({ length: 30 }, (_, i) => attempt("crowd", `2001:db8:7:${i}::1`));
    const other = attempt("other", "203.0.113.7");
    const done = async (all: Promise<boolean>[]) => (await Promise.all(all)).filter(Boolean).length;
    // Two are at work at once, the first two.
    expect(await Promise.all([done(crowd), done(ipv6), other])).toEqual([6, 4, true]);
  });

  it("is left by a client that hangs up, and what waits there is not hashed", async () => {
    ended.length = 0;
    const gone = new AbortController();
    const turn = { signal: gone.signal, pause: () => () => {}, again: async () => {} };
    const crowd = Array.from({ length: 6 }, () =>
      inTurn(turn, () => attempt("gone", "203.0.113.7")).catch(() => "left"),
    );
    gone.abort();
    expect(await attempt("here", "203.0.113.8")).toBe(true);
    expect([ended, new Set(await Promise.all(crowd))]).toEqual([["here"], new Set(["left"])]);
  });

  it("gives a try back that was not begun, and no other", async () => {
    const from = "203.0.113.7";
    const hangUp = async (gone: AbortController) => {
      const turn = { signal: gone.signal, pause: () => () => {}, again: async () => {} };
      let givenBack = 0;
      const giveBack = () => {
        givenBack += 1;
      };
      const check = inTurn(turn, () =>
        verifyPassword(null, "wrong", { from, counted: { giveBack } }),
      );
      gone.abort();
      await expect(check).rejects.toThrow();
      return givenBack;
    };
    const before = new AbortController();
    before.abort();
    expect(await hangUp(before)).toBe(1);
    // There is room: the check runs when its caller hangs up.
    expect(await hangUp(new AbortController())).toBe(0);
    const [one, two] = [attempt("one", null), attempt("two", null)];
    expect(await hangUp(new AbortController())).toBe(1);
    expect(await Promise.all([one, two])).toEqual([true, true]);
  });

  it("gives a try back that finds the queue full, and keeps one that was looked at", async () => {
    // A check that its caller has left goes on in one of the two places; these come after it.
    for (let i = 0; i < 3; i += 1) await Promise.all([attempt("one", null), attempt("two", null)]);
    const givenBack: number[] = [];
    const tries = Array.from({ length: 7 }, (_, i) => {
      const counted = { giveBack: () => void givenBack.push(i) };
      return verifyPassword(null, "wrong", { from: "203.0.113.9", counted }).catch(
        (error) => error.name,
      );
    });
    expect((await Promise.all(tries)).slice(5)).toEqual([false, "QueueFull"]);
    expect(givenBack).toEqual([6]);
  });

  it("takes known browsers first, also when strangers have filled their places", async () => {
    ended.length = 0;
    const crowd = Array.from({ length: 100 }, (_, i) => attempt("stranger", `198.51.${i}.1`));
    const owner = attempt("owner", null);
    expect(await owner).toBe(true);
    // Only those that had a place already, and what the other place did meanwhile, came before it.
    expect(ended.length).toBeLessThan(20);
    expect((await Promise.all(crowd)).filter(Boolean)).toHaveLength(42);
  });
});
