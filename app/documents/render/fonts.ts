/** Where the font files are, from source and from the bundle alike: both find node_modules. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { TFontDictionary } from "pdfmake/interfaces";
import { FALLBACK_FONT, fallbackFile } from "./fallback-font.ts";
import { SCRIPT_FONTS } from "./text-runs.ts";

const require = createRequire(import.meta.url);

/** Files are read only when a text needs them. */
export function fontFiles(): TFontDictionary {
  const roboto: TFontDictionary = require("pdfmake/fonts/Roboto.js");
  const scripts = SCRIPT_FONTS.map(({ font, slug }) => {
    const normal = fontFile(slug, 400);
    const bold = fontFile(slug, 600);
    return [font, { normal, bold, italics: normal, bolditalics: bold }] as const;
  });
  const one = fallbackFile();
  const fallback = { normal: one, bold: one, italics: one, bolditalics: one };
  return { ...roboto, ...Object.fromEntries(scripts), [FALLBACK_FONT]: fallback };
}

/** The only folders that the PDF library may read. */
export function fontFolders(files: TFontDictionary): string[] {
  const paths = Object.values(files).flatMap((styles) => Object.values(styles));
  return [...new Set(paths.map((path) => dirname(String(path))))];
}

function fontFile(slug: string, weight: 400 | 600): string {
  return require.resolve(
    `@fontsource/noto-sans-${slug}/files/noto-sans-${slug}-${slug}-${weight}-normal.woff`,
  );
}
