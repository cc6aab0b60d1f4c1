import fc from "fast-check";
import pdfmake from "pdfmake";
import { describe, expect, it } from "vitest";
import { FALLBACK_FONT, fallbackHas, fontEngine, repairFontEngine } from "./font-engine.ts";
import { fontFiles } from "./pdf.ts";
import { SCRIPT_FONTS, textRuns } from "./text-runs.ts";

const NAMES = {
  Devanagari: "राजेश्वरी कृष्णमूर्ति",
  Bengali: "ঋতুপর্ণা বন্দ্যোপাধ্যায়",
  Gujarati: "જ્યોત્સ્ના પટેલ",
  Gurmukhi: "ਹਰਪ੍ਰੀਤ ਢਿੱਲੋਂ",
  Tamil: "கிருஷ்ணமூர்த்தி",
  Telugu: "శ్రీనివాస్ కృష్ణమూర్తి",
  Kannada: "ಶ್ರೀಕೃಷ್ಣ ವಿದ್ಯಾರ್ಥಿ",
  Malayalam: "ശ്രീകൃഷ്ണൻ നമ്പൂതിരി",
  Oriya: "ଶ୍ରୀକୃଷ୍ଣ ପଣ୍ଡା",
  OlChiki: "ᱢᱩᱨᱢᱩ",
  MeeteiMayek: "ꯃ꯭ꯌꯥꯟ ꯃꯩꯇꯩ",
};

const files = fontFiles();

describe("textRuns", () => {
  it.each(Object.entries(NAMES))("keeps a name in %s in one run", (font, name) => {
    expect(textRuns(name)).toEqual([{ text: name.normalize("NFC"), font }]);
  });

  it.each([
    ["Dr. राजेश Rao", "Roboto:Dr. |Devanagari:राजेश|Roboto: Rao"],
    ["Asha।", "Roboto:Asha|Devanagari:।"],
    ["क्‍ष", "Devanagari:क्‍ष"],
    ["राज कुमार  शर्मा", "Devanagari:राज कुमार  शर्मा"],
    ["राज কমল", "Devanagari:राज|Roboto: |Bengali:কমল"],
    [" राज ", "Roboto: |Devanagari:राज|Roboto: "],
    ["राज a राज", "Devanagari:राज|Roboto: a |Devanagari:राज"],
    ["राज\nराज", "Devanagari:राज|Roboto:\n|Devanagari:राज"],
    ["محمد خان علی", "Arabic:علی|Roboto: |Arabic:خان|Roboto: |Arabic:محمد"],
    [
      "محمد خان Khan علی رضا",
      "Arabic:خان|Roboto: |Arabic:محمد|Roboto: Khan |Arabic:رضا|Roboto: |Arabic:علی",
    ],
    ["ڈاکٹر. محمد", "Arabic:محمد|Roboto: .|Arabic:ڈاکٹر"],
    ["نمبر 5/2، مکان 12", "Roboto:12 |Arabic:مکان|Roboto: |Arabic:،|Roboto:5/2 |Arabic:نمبر"],
    [
      `${"محمد ".repeat(9)}خان`,
      `Arabic:محمد${"|Roboto: |Arabic:محمد".repeat(7)}|Roboto:\n|Arabic:خان|Roboto: |Arabic:محمد`,
    ],
    ["محمد राज خان", "Arabic:محمد|Roboto: |Devanagari:राज|Roboto: |Arabic:خان"],
    ["محمد\nخان", "Arabic:محمد|Roboto:\n|Arabic:خان"],
    ["مکان 12\nگلی 3", "Roboto:12 |Arabic:مکان|Roboto:\n|Roboto:3 |Arabic:گلی"],
    ["مکان 12,\n560001 Lucknow", "Roboto:,12 |Arabic:مکان|Roboto:\n560001 Lucknow"],
    ["राम। राम॥", "Devanagari:राम। राम॥"],
    ["ᱢᱩ।", "OlChiki:ᱢᱩ|Devanagari:।"],
    ["ꯃ॥", "MeeteiMayek:ꯃ|Devanagari:॥"],
    ["ꯃ\u200dꯌ", "MeeteiMayek:ꯃ\u200dꯌ"],
    ["ᱢ\u200dᱩ", "OlChiki:ᱢᱩ"],
    ["m\u200dn", "Roboto:mn"],
    ["محمد\u200cخان", "Arabic:محمدخان"],
    ["राज\u200bकुमार", "Devanagari:राजकुमार"],
    ["a\u2003b", "Roboto:a b"],
    ["ﬁ①", "Roboto:fi1"],
    ["🎉राज", "Unifont:🎉|Devanagari:राज"],
    ["", ""],
  ])("of %j makes %j", (text, runs) => {
    const made = textRuns(text).map((run) => `${run.font}:${run.text}`);
    expect(made.join("|")).toBe(runs);
  });

  it.each(["王小明", "鈴木 一郎", "김철수", "สมชาย ใจดี", "😀", "ჟენია"])(
    "keeps %s in the font for all the rest",
    (name) => expect(textRuns(name)).toEqual([{ text: name, font: "Unifont" }]),
  );

  it("replaces what no font has", () => {
    const shown = (text: string) =>
      textRuns(text)
        .map((run) => run.text)
        .join("");
    expect(shown("Asha 👩🏽\u200d✈\ufe0f")).toBe("Asha 👩✈");
    expect(shown("Kṛṣṇa")).toBe("Krsna");
    expect(shown("Ｒａｊ")).toBe("Raj");
    expect(shown("𠀀שרה")).toBe("〓〓〓〓");
    expect(shown("a\u0000\u202eb\u00ad")).toBe("ab");
    expect(shown("a\tb")).toBe("a b");
  });

  it("gives a long word break points between letters", () => {
    const partsOf = (word: string, length: number) =>
      textRuns(word.repeat(length))[0]
        ?.text.split("\u200b")
        .map((part) => part.length);
    expect(partsOf("W", 24)).toEqual([24]);
    expect(partsOf("W", 25)).toEqual([24, 1]);
    expect(partsOf("W", 53)).toEqual([24, 24, 5]);
    // Letters of two characters each.
    expect(partsOf("कि", 24)).toEqual([48]);
    expect(partsOf("कि", 25)).toEqual([48, 2]);
  });

  it("gives a font no character that its files lack", () => {
    const fontkit: { openSync(path: string): { hasGlyphForCodePoint(point: number): boolean } } =
      fontEngine() as never;
    const opened = Object.fromEntries(
      Object.entries(files).map(([name, styles]) => [
        name,
        [styles.normal, styles.bold].map((path) => fontkit.openSync(String(path))),
      ]),
    );
    for (let point = 0x20; point < 0x20000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      for (const run of textRuns(`अ${String.fromCodePoint(point)}`)) {
        for (const letter of run.text) {
          const code = letter.codePointAt(0) ?? 0;
          if (opened[run.font]?.some((font) => !font.hasGlyphForCodePoint(code))) {
            throw new Error(`${run.font} lacks U+${code.toString(16)}`);
          }
        }
      }
    }
  });
});

describe("the font engine", () => {
  it("lays out any sequence of letters and signs of every script", () => {
    repairFontEngine(String(files.Malayalam?.normal));
    const fallback = { font: FALLBACK_FONT, has: fallbackHas };
    for (const { font: name, has } of [...SCRIPT_FONTS, fallback]) {
      const font = fontEngine().openSync(String(files[name]?.normal));
      const letters = Array.from({ length: 0xffff }, (_, point) => String.fromCharCode(point));
      const known = letters.filter((letter) => has(letter));
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 10 }),
          (word) => {
            font.layout(word.join(""));
          },
        ),
        { numRuns: 100 },
      );
    }
  });

  it("still sets a sign above its letter", () => {
    repairFontEngine(String(files.Malayalam?.normal));
    const font = fontEngine().openSync(String(files.Devanagari?.normal));
    expect(font.layout("कं")).toMatchObject({ positions: [{ xOffset: 0 }, { xOffset: -221 }] });
  });
});

it("the engine opens no address and reads no file but its fonts", async () => {
  const bytesOf = (image: string) => {
    const page = { content: [{ image: "a" }], images: { a: image } };
    return pdfmake.createPdf({ ...page, defaultStyle: { font: "Roboto" } }).getBuffer();
  };
  await expect(bytesOf("http://127.0.0.1:9/a.png")).rejects.toThrow(/URL denied by .* policy/);
  await expect(bytesOf("/etc/hostname")).rejects.toThrow(/policy/);
});
