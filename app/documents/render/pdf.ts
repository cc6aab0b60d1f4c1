/** Page definition → PDF bytes. Runs in a worker thread, because layout blocks the event loop. */

import { createRequire } from "node:module";
import { dirname } from "node:path";
import pdfmake from "pdfmake";
import type { TFontDictionary } from "pdfmake/interfaces";
import type { WrittenPage } from "#app/core/services.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { FALLBACK_FONT, fallbackFile, repairFontEngine } from "./font-engine.ts";
import { documentDefinition, monthDefinition } from "./invoice-definition.ts";
import type { Logos } from "./logos.server.ts";
import { SCRIPT_FONTS } from "./text-runs.ts";
import { writtenDefinition } from "./written-definition.ts";

const require = createRequire(import.meta.url);
const files = fontFiles();
const fonts = Object.values(files).flatMap((styles) => Object.values(styles));
/** The only folders that the PDF library may read. */
const folders = [...new Set(fonts.map((path) => `${dirname(String(path))}/`))];

repairFontEngine(String(files.Malayalam?.normal));
pdfmake.setFonts(files);
// No visitor's text may make the server read a file or fetch a URL (CVE-2026-26801).
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => folders.some((folder) => path.startsWith(folder)));

export function renderPdf(document: PrintableDocument, logos?: Logos): Promise<Buffer> {
  return pdfmake.createPdf(documentDefinition(document, logos)).getBuffer();
}

export function renderMonthPdf(
  documents: readonly PrintableDocument[],
  logos?: Logos,
): Promise<Buffer> {
  return pdfmake.createPdf(monthDefinition(documents, logos)).getBuffer();
}

export function renderTextPdf(page: WrittenPage, logos: Logos): Promise<Buffer> {
  return pdfmake.createPdf(writtenDefinition(page, logos)).getBuffer();
}

/** The library reads a file only when a text needs it. */
export function fontFiles(): TFontDictionary {
  const roboto: TFontDictionary = require("pdfmake/fonts/Roboto.js");
  const scripts = SCRIPT_FONTS.map(({ font }) => {
    const normal = fontFile(font, 400);
    const bold = fontFile(font, 600);
    return [font, { normal, bold, italics: normal, bolditalics: bold }] as const;
  });
  const one = fallbackFile();
  const fallback = { normal: one, bold: one, italics: one, bolditalics: one };
  return { ...roboto, ...Object.fromEntries(scripts), [FALLBACK_FONT]: fallback };
}

/** `MeeteiMayek` → the file of `@fontsource/noto-sans-meetei-mayek`. */
function fontFile(font: string, weight: 400 | 600): string {
  const slug = font.replace(/\B[A-Z]/g, "-$&").toLowerCase();
  return require.resolve(
    `@fontsource/noto-sans-${slug}/files/noto-sans-${slug}-${slug}-${weight}-normal.woff`,
  );
}
