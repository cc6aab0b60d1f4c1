/**
 * Two repairs of the font engine under the PDF library (fontkit 2.0.4). Without them a customer's
 * name can stop the invoice:
 * - it throws on an empty mark anchor, which the OpenType format allows and Noto's fonts contain
 *   (foliojs/fontkit issue 367, pull request 374): Malayalam and Telugu. Empty means "leave the
 *   mark where it is";
 * - its shaper for Meetei Mayek never ends at a conjunct. Laid out as plain letters the script
 *   reads well: only the last fine placing of vowel signs is missing.
 */
import { createRequire } from "node:module";

interface Positioner {
  applyAnchor(mark: { markAnchor: unknown }, baseAnchor: unknown, baseIndex: number): void;
}

interface OpenFont {
  layout(text: string, features?: unknown, script?: string, ...rest: unknown[]): unknown;
  _layoutEngine: { engine: { GPOSProcessor: Positioner } };
}

export interface FontEngine {
  openSync(path: string): OpenFont;
}

const PLAIN_SCRIPT = "DFLT";
const require = createRequire(import.meta.url);

/** The very instance that the PDF library uses: a dependency of its dependency. */
export function fontEngine(): FontEngine {
  const fromPdfmake = createRequire(require.resolve("pdfmake"));
  return createRequire(fromPdfmake.resolve("pdfkit"))("fontkit");
}

/** Takes the path of any font with a positioning table, through which the engine is reached. */
export function repairFontEngine(fontPath: string): void {
  const font = fontEngine().openSync(fontPath);
  skipEmptyAnchors(Object.getPrototypeOf(font._layoutEngine.engine.GPOSProcessor));
  layMeeteiMayekPlainly(Object.getPrototypeOf(font));
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
