/** The face for what no better font has: UnifontEX, drawn on a grid of dots, for scripts of all the world. */
import { createRequire } from "node:module";
import { fontEngine, type OpenFont } from "./font-engine.ts";

export const FALLBACK_FONT = "Unifont";

/** Each sign stands by itself, or nearly; the engine sets the others without their order. */
const SCRIPTS_OF_SINGLE_SIGNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Ethiopic}]/u;
/** Signs of no script: punctuation of East Asia and emoji; not what only colours another sign. */
const SIGN = /(?!\p{Emoji_Modifier})[\u3000-\u303f\u30fc\p{Extended_Pictographic}]/u;

const require = createRequire(import.meta.url);
let font: OpenFont | null = null;

export function fallbackFile(): string {
  return require.resolve("@fontsource/unifontex/files/unifontex-latin-400-normal.woff");
}

/** The file is read with the first character that nothing else has. */
export function fallbackHas(character: string): boolean {
  if (!SCRIPTS_OF_SINGLE_SIGNS.test(character) && !SIGN.test(character)) return false;
  font ??= fontEngine().openSync(fallbackFile());
  return font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}
