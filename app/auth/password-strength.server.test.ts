import { describe, expect, it } from "vitest";
import { firstPasswordFault } from "./manage-admins.server.ts";
import { isWeakPassword } from "./password.server.ts";
import { isEasilyGuessed } from "./password-thread.ts";

/** The heads of published lists of leaked passwords, those of six characters and more. */
const COMMON_PASSWORDS =
  `123456 1234567 12345678 123456789 1234567890 12345678910 123456789012 0123456789 987654321
  9876543210 87654321 654321 111111 1111111 11111111 111222 112233 11223344 121212 123123 123123123
  123321 1234qwer 123654 123abc 131313 147258 147258369 147852 159357 159753 1q2w3e 1q2w3e4r
  1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 222222 232323 246810 252525 292513 333333 444444 555555
  55555555 666666 66666666 696969 741852963 753951 777777 7777777 77777777 789456 789456123 888888
  88888888 963852741 999999 99999999 a1b2c3 a1b2c3d4 aa123456 aaaaaa abc123 abc12345 abcd1234
  abcdef abcdefg abcdefgh access admin1 administrator adminadmin administrator1 airplane alexander
  amanda andrew angel1 anthony asdasd asdf1234 asdfasdf asdfgh asdfghjk asdfghjkl asdfghjkl1 ashley
  asshole aviation azerty bailey bangalore banana barcelona barney baseball batman bharat blahblah
  blink182 buster butterfly captain changeit changeme changeme123 charlie cheese chelsea chennai
  chocolate computer cookie corvette cricket dallas daniel default delhi diamond dolphin dragon
  dubsmash eminem evite family ferrari fitness flower flying football forever freedom friends
  fuckoff fuckyou gandhi ganesh ganesha garfield george ginger google guitar hannah hanuman harley
  hello1 hello123 hellohello heslo hockey hunter hunter2 iloveu iloveyou iloveyou1 india123
  internet jaihind jaimatadi jasmine jennifer jessica jordan jordan23 joshua justin killer krishna
  lakshmi letmein letmein1 letmeinplease liverpool london lovely loveme maggie maiyas manchester
  master matrix matthew maverick melissa michael michelle minecraft mohit123 monkey monster mother
  mumbai murugan mustang myspace1 naruto nicole ninja1 nothing omshanti omsairam orange orange123
  passw0rd password password1 password12 password123 password1234 password12345 passwordpassword
  patrick peanut pepper phoenix picture1 pilot123 pokemon porsche princess princess1 purple q1w2e3
  q1w2e3r4 q1w2e3r4t5 qazwsx qazwsxedc qqqqqq qweasd qweasdzxc qwer1234 qwerty qwerty1 qwerty12
  qwerty123 qwerty1234 qwertyui qwertyuiop qwertyuiop123 qwertyuiopas rahul123 rainbow rajesh ranger
  rockyou sachin samantha samsung scooter secret secret1 secret123 senha shadow shalimar shivam
  simple slipknot snoopy soccer spiderman starwars steelers summer sunday sunshine superman
  suresh sweety swordfish system taylor temp123 tennis test123 test1234 testtest thomas thunder
  tigger tinkle toyota trustno1 unknown vanilla vikram welcome welcome1 welcome123 whatever william
  winner winter yellow zaq12wsx zaq1zaq1 zxcvbn zxcvbnm zxcvbnm123 zzzzzz`.split(/\s+/);

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
    expect(COMMON_PASSWORDS.length).toBeGreaterThan(300);
    expect(await strongOf(COMMON_PASSWORDS)).toEqual([]);
  });

  it("is none of six characters without a pattern", async () => {
    const six = ["zq7!kp", "kT4$mW", "Zx9#Qv", "bv8kqz"];
    expect(await strongOf(six)).toEqual(six);
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
