import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fontEngine, repairFontEngine } from "./font-engine.ts";
import { fontFiles } from "./fonts.ts";
import { isPrintable, SCRIPT_FONTS, textRuns } from "./text-runs.ts";

const NAMES = {
  Devanagari: "राजेश्वरी कृष्णमूर्ति",
  Bengali: "ঋতুপর্ণা বন্দ্যোপাধ্যায়",
  Gujarati: "જ્યોત્સ્ના પટેલ",
  Gurmukhi: "ਹਰਪ੍ਰੀਤ ਢਿੱਲੋਂ",
  Tamil: "கிருஷ்ணமூர்த்தி",
  Telugu: "శ్రీనివాస్ కృష్ణమూర్తి",
  Kannada: "ಶ್ರೀಕೃಷ್ಣ ವಿದ್ಯಾರ್ಥಿ",
  Malayalam: "ശ്രീകൃഷ്ണൻ നമ്പൂതിരി",
  Odia: "ଶ୍ରୀକୃଷ୍ଣ ପଣ୍ଡା",
  OlChiki: "ᱢᱩᱨᱢᱩ",
  MeeteiMayek: "ꯃ꯭ꯌꯥꯟ ꯃꯩꯇꯩ",
};

const require = createRequire(import.meta.url);
const files = fontFiles();

describe("textRuns", () => {
  it.each(Object.entries(NAMES))("keeps a name in %s in one run", (font, name) => {
    expect(textRuns(name)).toEqual([{ text: name.normalize("NFC"), font }]);
  });

  it("cuts at a change of script", () => {
    expect(textRuns("Dr. राजेश Rao")).toEqual([
      { text: "Dr. ", font: "Roboto" },
      { text: "राजेश", font: "Devanagari" },
      { text: " Rao", font: "Roboto" },
    ]);
  });

  it("keeps joiners with their letters", () => {
    expect(textRuns("क्‍ष")).toEqual([{ text: "क्‍ष", font: "Devanagari" }]);
  });

  it("prints the danda behind a word in Latin letters, whose font has none", () => {
    expect(textRuns("Asha।")).toEqual([
      { text: "Asha", font: "Roboto" },
      { text: "।", font: "Devanagari" },
    ]);
  });

  it("puts words of Arabic script in the order in which the page draws them", () => {
    expect(textRuns("محمد خان").map((run) => run.text)).toEqual(["خان", " ", "محمد"]);
  });

  it("replaces what no font has", () => {
    const shown = (text: string) =>
      textRuns(text)
        .map((run) => run.text)
        .join("");
    expect(shown("Asha 😀✈")).toBe("Asha ");
    expect(shown("Kṛṣṇa")).toBe("Krsna");
    expect(shown("Ｒａｊ")).toBe("Raj");
    expect(shown("王伟")).toBe("??");
    expect(shown("a\u0000\u202eb\u00ad")).toBe("ab");
    expect(shown("a\tb")).toBe("a b");
  });

  it("gives a long word break points between letters", () => {
    const [run] = textRuns("W".repeat(45));
    expect(run?.text.split("\u200b").map((part) => part.length)).toEqual([20, 20, 5]);
  });

  it("knows when nothing is left", () => {
    expect(isPrintable("😀 \u200d")).toBe(false);
    expect(isPrintable("अ")).toBe(true);
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
    for (let point = 0x20; point < 0xffff; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      for (const run of textRuns(`अ${String.fromCharCode(point)}`)) {
        for (const letter of run.text) {
          const code = letter.codePointAt(0) ?? 0;
          if (opened[run.font]?.some((font) => !font.hasGlyphForCodePoint(code))) {
            throw new Error(`${run.font} lacks U+${code.toString(16)}`);
          }
        }
      }
    }
  }, 60_000);
});

describe("the font engine", () => {
  it("lays out any sequence of letters and signs of every script", () => {
    repairFontEngine(String(files.Malayalam?.normal));
    for (const { slug, has } of SCRIPT_FONTS) {
      const path = `@fontsource/noto-sans-${slug}/files/noto-sans-${slug}-${slug}-400-normal.woff`;
      const font = fontEngine().openSync(require.resolve(path));
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
  }, 60_000);

  it("still sets a sign above its letter", () => {
    repairFontEngine(String(files.Malayalam?.normal));
    const font = fontEngine().openSync(String(files.Devanagari?.normal));
    expect(font.layout("कं")).toMatchObject({ positions: [{ xOffset: 0 }, { xOffset: -221 }] });
  });
});
