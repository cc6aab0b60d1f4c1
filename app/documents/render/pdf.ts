/** Page definition → PDF bytes. Runs in a worker thread, because layout blocks the event loop. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import pdfmake from "pdfmake";
import type { Content, TDocumentDefinitions, TFontDictionary } from "pdfmake/interfaces";
import type { WrittenPage } from "#app/core/services.ts";
import type { TextRun } from "#app/model/text-blocks.ts";
import { FALLBACK_FONT, fallbackFile, repairFontEngine } from "./font-engine.ts";
import {
  definitionOf,
  documentDefinition,
  monthDefinition,
  type Printed,
} from "./invoice-definition.ts";
import { BLUE, brandLine, quiet, rule, runs } from "./page-parts.ts";
import type { Logos } from "./read-apart.server.ts";
import { SCRIPT_FONTS, textRuns } from "./text-runs.ts";

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

/** One document, or several in one file. */
export function renderPdf(printed: Printed, logos?: Logos): Promise<Buffer> {
  const definition =
    "number" in printed ? documentDefinition(printed, logos) : monthDefinition(printed, logos);
  return pdfmake.createPdf(definition).getBuffer();
}

export function renderTextPdf(page: WrittenPage, logos: Logos): Promise<Buffer> {
  return pdfmake.createPdf(writtenDefinition(page, logos)).getBuffer();
}

/** A person's text: paragraphs, lists and links under a few facts. */
export function writtenDefinition(page: WrittenPage, logos: Logos): TDocumentDefinitions {
  const { brand, logo, title, facts, blocks, at } = page;
  const margin: [number, number, number, number] = [0, 0, 0, 8];
  return definitionOf({ title, author: brand, at }, [
    brandLine(brand, logos.get(logo ?? "")),
    rule(BLUE, 0.9, [0, 0, 0, 14]),
    { text: runs(title), fontSize: 18, bold: true, margin },
    ...facts.map(([label, value]): Content => ({ text: [quiet(`${label}: `), ...runs(value)] })),
    { text: "", margin: [0, 0, 0, 10] },
    ...blocks.map((block): Content => {
      if (block.type === "paragraph") return { text: block.runs.flatMap(linked), margin, ...BODY };
      const items = block.items.map((item): Content => ({ text: item.flatMap(linked), ...BODY }));
      return block.start === null
        ? { ul: items, margin }
        : { ol: items, start: block.start, margin };
    }),
  ]);
}

const BODY = { fontSize: 11 };

function linked({ text, url }: TextRun): Content[] {
  const shown = url ? { link: url, color: BLUE } : {};
  return textRuns(text).map((run): Content => ({ text: run.text, font: run.font, ...shown }));
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
