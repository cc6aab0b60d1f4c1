/**
 * Chooses fonts for characters. The PDF library has no font fallback and prints an empty box for a
 * missing character, so typed text is cut into runs of one font, and characters that no font has are
 * replaced.
 */
import { FALLBACK_FONT, fallbackHas } from "./font-engine.ts";

export interface TextRun {
  text: string;
  font: FontName;
}

const BASE_FONT = "Roboto";

const ROBOTO = ranges(
  "20-7e a0-ac ae-17f 18f 192 1a0 1a1 1af 1b0 1fa-1ff 218-21b 237 259 2bc 300 301 303 309 323 384-38a 38c 38e-3a1 3a3-3ce 400-486 488-513 1e3e 1e3f 1e80-1e85 1e9e 1ea0-1ef9 2010 2011 2013-2015 2018-201e 2020-2022 2026 2030 2032 2033 2039 203a 2044 20ac 20b9 2116 2122 2212",
);

/** By script, as Unicode and `@fontsource` name it: what its file has; a test compares the two. */
const SCRIPTS = {
  Devanagari: "900-97f a8e0-a8ff",
  Bengali:
    "980-983 985-98c 98f 990 993-9a8 9aa-9b0 9b2 9b6-9b9 9bc-9c4 9c7 9c8 9cb-9ce 9d7 9dc 9dd 9df-9e3 9e6-9fe",
  Gujarati:
    "a81-a83 a85-a8d a8f-a91 a93-aa8 aaa-ab0 ab2 ab3 ab5-ab9 abc-ac5 ac7-ac9 acb-acd ad0 ae0-ae3 ae6-af1 af9-aff",
  Gurmukhi:
    "a01-a03 a05-a0a a0f a10 a13-a28 a2a-a30 a32 a33 a35 a36 a38 a39 a3c a3e-a42 a47 a48 a4b-a4d a51 a59-a5c a5e a66-a76",
  Tamil:
    "b82 b83 b85-b8a b8e-b90 b92-b95 b99 b9a b9c b9e b9f ba3 ba4 ba8-baa bae-bb9 bbe-bc2 bc6-bc8 bca-bcd bd0 bd7 be6-bfa",
  Telugu:
    "c00-c0c c0e-c10 c12-c28 c2a-c39 c3c-c44 c46-c48 c4a-c4d c55 c56 c58-c5a c5d c60-c63 c66-c6f c77-c7f",
  Kannada:
    "c80-c8c c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbc-cc4 cc6-cc8 cca-ccd cd5 cd6 cdd cde ce0-ce3 ce6-cef cf1-cf3",
  Malayalam: "d00-d0c d0e-d10 d12-d44 d46-d48 d4a-d4f d54-d63 d66-d7f",
  Oriya:
    "b01-b03 b05-b0c b0f b10 b13-b28 b2a-b30 b32 b33 b35-b39 b3c-b44 b47 b48 b4b-b4d b55-b57 b5c b5d b5f-b63 b66-b77",
  OlChiki: "1c50-1c7f",
  MeeteiMayek: "aae0-aaf6 abc0-abed abf0-abf9",
  Arabic: "600-6ff 750-77f fb50-fbb1",
};

export type FontName = typeof BASE_FONT | typeof FALLBACK_FONT | keyof typeof SCRIPTS;

export const SCRIPT_FONTS = Object.entries(SCRIPTS).map(([font, points]) => {
  return { font: font as keyof typeof SCRIPTS, has: ranges(points) };
});

/** Characters that belong to the letter before them in any script: joiners, break points, dandas. */
const ATTACHED = ranges("200b-200d 964-965");
const HAS_JOINERS: readonly FontName[] = SCRIPT_FONTS.map(({ font }) => font).filter(
  (font) => font !== "OlChiki" && font !== "Arabic",
);
const HAS_DANDA: readonly FontName[] = HAS_JOINERS.filter((font) => font !== "MeeteiMayek");

/** Longer words get invisible break points, or they would overflow their column. */
const LONGEST_WORD = 24;
const TOO_LONG = new RegExp(`\\S{${LONGEST_WORD + 1},}`, "g");
const GETA = "\u3013";
const BREAK_POINT = "\u200b";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Cuts a text into runs of one font each. Nothing in the result prints as a box. */
export function textRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of breakable(text.replaceAll(BREAK_POINT, "").normalize("NFC"))) {
    for (const piece of printable(character)) {
      const last = runs.at(-1);
      const font = fontOf(piece, last?.font ?? BASE_FONT);
      if (font === null) continue;
      if (last?.font === font) last.text += piece;
      else runs.push({ text: piece, font });
    }
  }
  return rightToLeft(spacesWithTheirRun(runs));
}

function breakable(text: string): string {
  return text.replace(TOO_LONG, (word) =>
    Array.from(graphemes.segment(word), ({ segment }, index) =>
      index > 0 && index % LONGEST_WORD === 0 ? BREAK_POINT + segment : segment,
    ).join(""),
  );
}

/** `900-97f a8e0` → a test for these code points. */
function ranges(list: string): (character: string) => boolean {
  const bounds = list.split(" ").map((item) => {
    const [from = "", to = from] = item.split("-");
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
  return (character) => {
    const point = character.codePointAt(0) ?? 0;
    return bounds.some(([from, to]) => point >= from && point <= to);
  };
}

function fontOf(character: string, previous: FontName): FontName | null {
  if (ATTACHED(character)) {
    const danda = character === "\u0964" || character === "\u0965";
    if ((danda ? HAS_DANDA : HAS_JOINERS).includes(previous)) return previous;
    if (danda) return "Devanagari";
    return character === BREAK_POINT ? BASE_FONT : null;
  }
  if (character === "\n" || ROBOTO(character)) return BASE_FONT;
  const script = SCRIPT_FONTS.find(({ has }) => has(character));
  return script?.font ?? (fallbackHas(character) ? FALLBACK_FONT : null);
}

/** The character, else its plain form (`Ｒ` → `R`), else a geta for letter or digit, or nothing. */
function printable(character: string): string {
  if (isCovered(character)) return character;
  const plain = character.normalize("NFKD").replace(/\p{M}/gu, "");
  if (plain !== "" && [...plain].every(isCovered)) return plain;
  if (/\s/u.test(character)) return " ";
  return /[\p{L}\p{N}]/u.test(character) ? GETA : "";
}

function isCovered(character: string): boolean {
  return ATTACHED(character) || fontOf(character, BASE_FONT) !== null;
}

/** Joins two words of one script and the space between them into one run. */
function spacesWithTheirRun(runs: readonly TextRun[]): TextRun[] {
  const joined: TextRun[] = [];
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i]!;
    const before = joined.at(-1);
    const after = runs[i + 1];
    const joins = before && after && before.font === after.font && before.font !== "Arabic";
    if (joins && /^ +$/.test(run.text)) {
      before.text += run.text + after.text;
      i++;
    } else {
      joined.push({ ...run });
    }
  }
  return joined;
}

/** Between two Arabic words, and after the last of a line, part of it: blanks, marks and numbers. */
const BETWEEN_WORDS = /^[ \d.,:;/-]+$/;
/** Letters of Arabic that surely fit into the column of a name, its blanks counted. */
const LONGEST_LINE = 40;

/**
 * The page reverses letters within a word only, so neighbouring Arabic words are reversed here, line
 * by line: the page would break a reversed line at the wrong end.
 */
function rightToLeft(runs: readonly TextRun[]): TextRun[] {
  const turned: TextRun[] = [];
  const line: TextRun[] = [];
  const endLine = () => turned.push(...line.splice(0).reverse());
  for (const [i, run] of runs.entries()) {
    const before = line.at(-1);
    if (run.font === "Arabic") {
      const letters = line.reduce((sum, { text }) => sum + text.length, run.text.length);
      if (before && letters > LONGEST_LINE) {
        if (/^ +$/.test(before.text)) line.pop();
        endLine();
        turned.push({ text: "\n", font: BASE_FONT });
      }
      line.push(run);
    } else {
      const [start = ""] = run.text.split("\n", 1);
      const endsHere = start !== run.text || (runs[i + 1]?.font ?? "Arabic") === "Arabic";
      const isOfLine = before && endsHere && BETWEEN_WORDS.test(start);
      if (isOfLine) line.push({ ...run, text: reversed(start) });
      const rest = isOfLine ? run.text.slice(start.length) : run.text;
      if (rest === "") continue;
      endLine();
      turned.push({ ...run, text: rest });
    }
  }
  endLine();
  return turned;
}

/** Marks and blanks in reverse order; a number keeps its own. */
function reversed(text: string): string {
  const parts = text.match(/\d+([.,:/-]\d+)*|./g) ?? [];
  return parts.reverse().join("");
}
