import { describe, expect, it } from "vitest";
import { firstPasswordFault } from "./manage-admins.server.ts";
import { isWeakPassword } from "./password.server.ts";
import { isEasilyGuessed } from "./password-thread.ts";

/** Some of published lists of leaked passwords: of each kind, and those that our own words or sum alone refuse. */
const COMMON_PASSWORDS =
  `123456 1234567890 987654321 111111 112233 147258369 159753 1q2w3e4r 1qaz2wsx3edc 292513 555555
  741852963 777777 963852741 a1b2c3d4 aa123456 abc123 abcdefgh administrator1 asdfghjkl1 aviation
  captain changeme123 dubsmash evite flying hello123 iloveyou1 jaihind krishna letmeinplease maiyas
  mohit123 omshanti passw0rd password12345 passwordpassword pilot123 q1w2e3r4t5 qwertyuiop123
  qwertyuiopas sachin shivam trustno1 welcome123 zaq1zaq1 zxcvbnm123`.split(/\s+/);

/** Words that a year, a row of digits or a sign at the end does not make any better. */
const COMMON_WORDS = [
  "admin administrator changeme default guest iloveyou india letmein login master pass password",
  "qwerty root secret test user welcome",
  // What this product and its trade are called.
  "airline aviation booking briefing cadet captain captains captainsbriefing dgca flying pilot",
]
  .join(" ")
  .split(" ");

const NO_WORDS: string[] = [];

async function strongOf(passwords: readonly string[], ownWords = NO_WORDS): Promise<string[]> {
  const weak = await Promise.all(passwords.map((password) => isEasilyGuessed(password, ownWords)));
  return passwords.filter((_, i) => !weak[i]);
}

describe("a password that anybody would try", () => {
  it("is refused, each on the list", async () => {
    expect(await strongOf(COMMON_PASSWORDS)).toEqual([]);
  });

  it("is none of six characters without a pattern, nor two plain words with a number", async () => {
    const others = ["zq7!kp", "kT4$mW", "Zx9#Qv", "bv8kqz", "tw1n-k", "NewPass123", "NewSecret1"];
    expect(await strongOf(others)).toEqual(others);
  });

  it("is refused, also with the usual ending, in capitals or with signs for letters", async () => {
    const endings = ["", "1", "007", "123", "@123", "12345678", "2026", "@2026", "1999!", "111"];
    const all = [
      ...COMMON_WORDS.flatMap((word) => [word, `${word}@2026`]),
      ...["captain", "guest", "password"].flatMap((word) => endings.map((end) => word + end)),
    ];
    expect(await strongOf(all.filter(({ length }) => length >= 6))).toEqual([]);
    const disguised = ["Password1", "P@ssw0rd", "P@ssw0rd@123", "letmein!", "aaaaaaaa", "abcdefgh"];
    expect(await strongOf(disguised)).toEqual([]);
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

it("a first password has twelve characters to two hundred", async () => {
  const faultOf = (password: string) =>
    firstPasswordFault({ username: "a", email: "a@b.example", password }, {
      business: { name: "" },
    } as never);
  expect(await faultOf("xK9-vq3Lw_7t")).toBeNull();
  expect(await faultOf("xK9-vq3Lw_7")).toContain("12 characters");
  expect(await faultOf(`xK9-vq3Lw_7t${"q7_".repeat(63)}`)).toContain("200 characters");
});
