import { describe, expect, it } from "vitest";
import { COMMON_PASSWORDS, COMMON_WORDS } from "#tests/support/common-passwords.ts";
import { firstPasswordFault } from "./manage-admins.server.ts";
import { isWeakPassword } from "./password.server.ts";
import { isEasilyGuessed } from "./password-thread.ts";

const NO_WORDS: string[] = [];

async function strongOf(passwords: readonly string[], ownWords = NO_WORDS): Promise<string[]> {
  const weak = await Promise.all(passwords.map((password) => isEasilyGuessed(password, ownWords)));
  return passwords.filter((_, i) => !weak[i]);
}

describe("a password that anybody would try", () => {
  it("is refused, each on the list", async () => {
    expect(COMMON_PASSWORDS.length).toBeGreaterThan(300);
    expect(await strongOf(COMMON_PASSWORDS)).toEqual([]);
  });

  it("is refused, also with the usual ending, in capitals or with signs for letters", async () => {
    const endings = ["", "1", "007", "123", "@123", "12345678", "2026", "@2026", "1999!", "111"];
    const all = COMMON_WORDS.flatMap((word) => endings.map((ending) => word + ending));
    expect(await strongOf(all.filter(({ length }) => length >= 6))).toEqual([]);
    const disguised = ["Password1", "P@ssw0rd", "P@ssw0rd@123", "letmein!", "aaaaaaaa", "abcdefgh"];
    expect(await strongOf(disguised)).toEqual([]);
  });

  it("is refused when it is the product or its trade", async () => {
    const all = ["captain1", "Aviation2026", "pilot123", "captainsbriefing", "DGCA@2026"];
    expect(await strongOf(all)).toEqual([]);
  });

  it("is refused when it is made of the person's own words", async () => {
    const own = ["kavya.menon", "kavya.menon@windsock.example", "Windsock Counselling"];
    const all = [
      "kavyamenon",
      "windsockcounselling",
      "Windsock2026",
      "kavya.menon@windsock.example",
    ];
    expect(await strongOf(all, own)).toEqual([]);
    expect(await strongOf(["windsockcounselling"])).toHaveLength(1);
  });

  it("is not one of several words of one's own", async () => {
    const all = [
      "kettle-sky",
      "quiet-runway-0917",
      "captain eats mangoes",
      "blue pilot lamp 7",
      "एक शांत उड़ान",
    ];
    expect(
      await strongOf(all, ["admin", "admin@captains.example", "Windsock Counselling"]),
    ).toEqual(all);
  });
});

it("a thread of its own says the same", async () => {
  const asked = ["captain1", "quiet-runway-0917"].map((one) => isWeakPassword(one, NO_WORDS));
  expect(await Promise.all(asked)).toEqual([true, false]);
});

it("a first password has at least twelve characters", async () => {
  const faultOf = (password: string) =>
    firstPasswordFault({ username: "a", email: "a@b.example", password }, {
      business: { name: "" },
    } as never);
  expect(await faultOf("xK9-vq3Lw_7t")).toBeNull();
  expect(await faultOf("xK9-vq3Lw_7")).toContain("12 characters");
});
