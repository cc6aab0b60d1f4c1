import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "./password.server.ts";

describe("a password", () => {
  it("is kept as argon2id with the cost that SECURITY.md states, salted each time", async () => {
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

  it("of nobody is wrong, whatever it is", async () => {
    expect(await verifyPassword(null, "")).toBe(false);
  });
});
