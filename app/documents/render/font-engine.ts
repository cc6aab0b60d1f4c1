/**
 * Three repairs of the font engine under the PDF library (fontkit 2.0.4), without which a customer's
 * name can stop the invoice:
 * - it unpacks a font's table again for every letter: a minute for a short name in a large font;
 * - it throws on an empty mark anchor, which the OpenType format allows and Noto's fonts contain
 *   (foliojs/fontkit issue 367, pull request 374): Malayalam and Telugu. Empty means "leave the
 *   mark where it is";
 * - its shaper for Meetei Mayek never ends at a conjunct. Laid out as plain letters the script
 *   is readable: only the exact placing of vowel signs is missing.
 *
 * And one of the library (pdfmake 0.3.11), for speed: it opens its fonts anew for each PDF and parses
 * their tables again, which is more than half of the time that an invoice takes.
 */
import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";

interface Positioner {
  applyAnchor(mark: { markAnchor: unknown }, baseAnchor: unknown, baseIndex: number): void;
}

export interface OpenFont {
  hasGlyphForCodePoint(point: number): boolean;
  layout(text: string, features?: unknown, script?: string, ...rest: unknown[]): unknown;
  createSubset(): unknown;
  getGlyph(id: number): unknown;
  _glyphs: object;
  _layoutEngine: { engine: { GPOSProcessor: Positioner } };
  stream: TableStream;
  directory: { tables: Record<string, { offset: number; compLength: number; length: number }> };
  _getTableStream(tag: string): TableStream | null;
}

interface TableStream {
  buffer: Uint8Array;
  constructor: new (buffer: Uint8Array) => TableStream;
}

export interface FontEngine {
  openSync(path: string): OpenFont;
}

const PLAIN_SCRIPT = "DFLT";
const require = createRequire(import.meta.url);

/** The same instance that the PDF library uses: a dependency of its dependency. */
export function fontEngine(): FontEngine {
  const fromPdfmake = createRequire(require.resolve("pdfmake"));
  return createRequire(fromPdfmake.resolve("pdfkit"))("fontkit");
}

/** Takes the path of any WOFF font with a positioning table, to reach the engine's classes. */
export function repairFontEngine(fontPath: string): void {
  const font = fontEngine().openSync(fontPath);
  skipEmptyAnchors(Object.getPrototypeOf(font._layoutEngine.engine.GPOSProcessor));
  layMeeteiMayekPlainly(Object.getPrototypeOf(font));
  unpackOnce(Object.getPrototypeOf(font));
  shareFonts(require("pdfmake/js/PDFDocument.js").default.prototype);
}

function unpackOnce(woff: OpenFont): void {
  const read = woff._getTableStream;
  const unpacked = new WeakMap<object, Uint8Array>();
  woff._getTableStream = function (tag) {
    const table = this.directory.tables[tag];
    if (table === undefined || table.compLength >= table.length) return read.call(this, tag);
    let bytes = unpacked.get(table);
    if (bytes === undefined) {
      const packed = this.stream.buffer.subarray(table.offset, table.offset + table.compLength);
      bytes = inflateSync(packed);
      unpacked.set(table, bytes);
    }
    return new this.stream.constructor(bytes);
  };
}

/** A PDF being written. It keeps its own subset and widths of each font; only the parsed font is shared. */
interface PdfFile {
  fonts: Record<string, Record<string, string>>;
  getFontType(bold: boolean, italics: boolean): string;
  provideFont(family: string, bold: boolean, italics: boolean): { font: OpenFont; subset: unknown };
}

const opened = new Map<string, OpenFont>();

function shareFonts(prototype: PdfFile): void {
  const provide = prototype.provideFont;
  const ready = new WeakSet<object>();
  prototype.provideFont = function (family, bold, italics) {
    const provided = provide.call(this, family, bold, italics);
    if (ready.has(provided)) return provided;
    ready.add(provided);
    const path = String(this.fonts[family]?.[this.getFontType(bold, italics)]);
    const font = opened.get(path) ?? provided.font;
    opened.set(path, font);
    // A glyph keeps the characters it was first used for: the next PDF's text would be copied as those.
    font._glyphs = {};
    // As in a font just opened: the sign for a missing character stands for none.
    font.getGlyph(0);
    provided.font = font;
    provided.subset = font.createSubset();
    return provided;
  };
}

function skipEmptyAnchors(positioner: Positioner): void {
  const applyAnchor = positioner.applyAnchor;
  positioner.applyAnchor = function (mark, baseAnchor, baseIndex) {
    if (mark.markAnchor && baseAnchor) applyAnchor.call(this, mark, baseAnchor, baseIndex);
  };
}

function layMeeteiMayekPlainly(font: OpenFont): void {
  const layout = font.layout;
  font.layout = function (text, features, script, ...rest) {
    const plain = /\p{Script=Meetei_Mayek}/u.test(text) ? PLAIN_SCRIPT : script;
    return layout.call(this, text, features, plain, ...rest);
  };
}

export const FALLBACK_FONT = "Unifont";

/** Scripts that need little or no shaping; the engine cannot shape the others. */
const SCRIPTS_OF_SINGLE_SIGNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Ethiopic}]/u;
/** Characters of no script: East Asian punctuation and emoji, without skin-tone modifiers. */
const SIGN = /(?!\p{Emoji_Modifier})[\u3000-\u303f\u30fc\p{Extended_Pictographic}]/u;

let font: OpenFont | null = null;

export function fallbackFile(): string {
  return require.resolve("@fontsource/unifontex/files/unifontex-latin-400-normal.woff");
}

/** The font file is read with the first character that no other font has. */
export function fallbackHas(character: string): boolean {
  if (!SCRIPTS_OF_SINGLE_SIGNS.test(character) && !SIGN.test(character)) return false;
  font ??= fontEngine().openSync(fallbackFile());
  return font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}
