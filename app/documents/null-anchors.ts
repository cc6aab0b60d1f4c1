/**
 * The font engine under the PDF library (fontkit 2.0.4) throws on an empty mark anchor, which the
 * OpenType format allows and Noto's fonts contain (foliojs/fontkit issue 367, pull request 374):
 * without this a customer's name in Malayalam or Telugu stops the invoice. An empty anchor means
 * "leave the mark where it is".
 */
import { createRequire } from "node:module";

interface Positioner {
  applyAnchor(mark: { markAnchor: unknown }, baseAnchor: unknown, baseIndex: number): void;
}

interface OpenFont {
  _layoutEngine?: { engine?: { GPOSProcessor?: Positioner } };
}

const require = createRequire(import.meta.url);

/** Takes the path of any font with a positioning table, through which the engine is reached. */
export function skipNullAnchors(fontPath: string): void {
  const fontkit: { openSync(path: string): OpenFont } = requireBelow(
    "pdfmake",
    "pdfkit",
    "fontkit",
  );
  const positioner = fontkit.openSync(fontPath)._layoutEngine?.engine?.GPOSProcessor;
  if (!positioner) return;
  const prototype: Positioner = Object.getPrototypeOf(positioner);
  const applyAnchor = prototype.applyAnchor;
  if (typeof applyAnchor !== "function") return;
  prototype.applyAnchor = function (this: Positioner, mark, baseAnchor, baseIndex) {
    if (!mark.markAnchor || !baseAnchor) return;
    applyAnchor.call(this, mark, baseAnchor, baseIndex);
  };
}

/** A dependency of a dependency: the very instance that the PDF library uses. */
function requireBelow(...names: [string, ...string[]]) {
  const name = names.pop() ?? "";
  const owner = names.reduce(
    (from, dependency) => createRequire(from.resolve(dependency)),
    require as NodeJS.Require,
  );
  return owner(name);
}
