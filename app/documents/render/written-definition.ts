/** A person's text → page definition: paragraphs, lists and links under a few facts. */
import type { Content, TDocumentDefinitions } from "pdfmake/interfaces";
import type { WrittenPage } from "#app/core/services.ts";
import type { TextRun } from "#app/model/text-blocks.ts";
import { pageSetUp } from "./invoice-definition.ts";
import type { Logos } from "./logos.server.ts";
import { BLUE, brandLine, QUIET, rule, runs } from "./page-parts.ts";
import { textRuns } from "./text-runs.ts";

/** The library modifies the definition, so use it once. */
export function writtenDefinition(page: WrittenPage, logos: Logos): TDocumentDefinitions {
  const { brand, logo, title, facts, blocks, at } = page;
  return {
    ...pageSetUp(),
    info: { title, author: brand, creationDate: new Date(at) },
    content: [
      brandLine(brand, logos.get(logo ?? "")),
      rule(BLUE, 0.9, [0, 0, 0, 14]),
      { text: runs(title), fontSize: 18, bold: true, margin: [0, 0, 0, 8] },
      ...facts.map(
        ([label, value]): Content => ({
          text: [{ text: `${label}: `, color: QUIET }, ...runs(value)],
        }),
      ),
      { text: "", margin: [0, 0, 0, 10] },
      ...blocks.map((block): Content => {
        const margin: [number, number, number, number] = [0, 0, 0, 8];
        if (block.type === "paragraph")
          return { text: block.runs.flatMap(linked), margin, ...BODY };
        const items = block.items.map((item): Content => ({ text: item.flatMap(linked), ...BODY }));
        return block.start === null
          ? { ul: items, margin }
          : { ol: items, start: block.start, margin };
      }),
    ],
  };
}

const BODY = { fontSize: 11 };

function linked({ text, url }: TextRun): Content[] {
  const shown = url ? { link: url, color: BLUE } : {};
  return textRuns(text).map((run): Content => ({ text: run.text, font: run.font, ...shown }));
}
