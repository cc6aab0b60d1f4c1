/** Page definition → PDF bytes. Runs in a worker thread: laying out holds the event loop. */
import pdfmake from "pdfmake";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { repairFontEngine } from "./font-engine.ts";
import { fontFiles, fontFolders } from "./fonts.ts";
import { documentDefinition, monthDefinition } from "./invoice-definition.ts";

const files = fontFiles();
const folders = fontFolders(files).map((folder) => `${folder}/`);

repairFontEngine(String(files.Malayalam?.normal));
pdfmake.setFonts(files);
// No text of a visitor may make the server read a file or open an address (CVE-2026-26801).
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => folders.some((folder) => path.startsWith(folder)));

export function renderPdf(document: PrintableDocument): Promise<Buffer> {
  return pdfmake.createPdf(documentDefinition(document)).getBuffer();
}

export function renderMonthPdf(documents: readonly PrintableDocument[]): Promise<Buffer> {
  return pdfmake.createPdf(monthDefinition(documents)).getBuffer();
}
