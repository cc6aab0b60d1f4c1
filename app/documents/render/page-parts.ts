/** What the pages of documents are made of: colours, measures, lines of text and tables. */
import type { Column, Content, CustomTableLayout } from "pdfmake/interfaces";
import { formatAmount } from "#app/model/money.ts";
import { textRuns } from "./text-runs.ts";

export const INK = "#14233b";
export const QUIET = "#55647a";
export const BLUE = "#2474c4";
export const HAIRLINE = "#d4dce6";
const TINT = "#f3f7fb";
export const AMBER = "#9a5b00";

export const MARGIN = 60;
const PAGE_WIDTH = 595.28;
const INNER_WIDTH = PAGE_WIDTH - 2 * MARGIN;
/** Fixed width: a flexible column would grow with a long word. */
export const LEFT_WIDTH = 255;
export const COLUMN_GAP = 20;
export const RIGHT_WIDTH = INNER_WIDTH - LEFT_WIDTH - COLUMN_GAP;

type Margins = [number, number, number, number];

/** The brand beside its logo, else beside the mark of the software: wings level on the horizon. */
export function brandLine(name: string, logo?: string): Content {
  const text: Content = { text: runs(name), bold: true, fontSize: 11, margin: [0, 3, 0, 0] };
  const margin: Margins = [0, 0, 0, 12];
  if (logo) return { columns: [{ width: 26, image: logo, fit: [18, 18] }, text], margin };
  const thin = { lineWidth: 0.9, lineColor: BLUE };
  // In a circle of 18 points; made anew each time, because the library moves the points.
  const wings = (
    [
      [3.3, 7.8],
      [6.2, 7.8],
      [9, 10.4],
      [11.8, 7.8],
      [14.7, 7.8],
    ] as const
  ).map(([x, y]) => ({ x, y }));
  return {
    columns: [
      {
        width: 26,
        canvas: [
          { type: "ellipse", x: 9, y: 9, r1: 8.5, r2: 8.5, ...thin },
          { type: "line", x1: 0.7, y1: 10.4, x2: 17.3, y2: 10.4, ...thin },
          { type: "polyline", points: wings, lineWidth: 1.3, lineColor: INK, lineJoin: "round" },
        ],
      },
      text,
    ],
    margin,
  };
}

export function factsTable(facts: readonly [string, string][]): Column {
  return {
    width: RIGHT_WIDTH,
    table: {
      widths: ["*", "auto"],
      body: facts.map(([name, value], index) => [
        { text: name, color: QUIET },
        { text: value, alignment: "right" as const, bold: index === 0 },
      ]),
    },
    layout: FACTS_LAYOUT,
  };
}

/** Amounts below each other, and their total. */
export function amountsTable(rows: readonly [string, number][], total: [string, number]): Column {
  const cells = ([name, paise]: readonly [string, number]) => [
    { text: name, color: QUIET },
    { text: formatAmount(paise), alignment: "right" as const },
  ];
  const strong = () => ({ bold: true, fontSize: 12, margin: [0, 3, 0, 0] as Margins });
  const sum = [
    { text: total[0], ...strong() },
    { text: formatAmount(total[1]), alignment: "right" as const, ...strong() },
  ];
  return {
    width: RIGHT_WIDTH,
    margin: [0, 10, 0, 0],
    table: { widths: ["*", "auto"], body: [...rows.map(cells), sum] },
    layout: TOTALS_LAYOUT,
  };
}

export function head(text: string, alignment: "left" | "right"): Content {
  return { text, alignment, color: QUIET, fontSize: 8.5 };
}

export function label(text: string): Content {
  return { text, color: QUIET, fontSize: 8.5, margin: [0, 0, 0, 3] };
}

export function quiet(text: string): Content {
  return { text, color: QUIET };
}

export function runs(text: string): Content[] {
  return textRuns(text).map((run): Content => ({ text: run.text, font: run.font }));
}

export function rule(color: string, width: number, margin: Margins): Content {
  return {
    canvas: [
      { type: "line", x1: 0, y1: 0, x2: INNER_WIDTH, y2: 0, lineWidth: width, lineColor: color },
    ],
    margin,
  };
}

const FACTS_LAYOUT: CustomTableLayout = {
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: (column) => (column === 0 ? 0 : 8),
  paddingRight: () => 0,
  paddingTop: () => 0,
  paddingBottom: () => 2,
};

export const LINES_LAYOUT: CustomTableLayout = {
  hLineWidth: (row) => (row === 1 ? 0.9 : 0.6),
  hLineColor: (row) => (row === 1 ? BLUE : HAIRLINE),
  vLineWidth: () => 0,
  fillColor: (row) => (row === 0 ? TINT : null),
  paddingLeft: () => 6,
  paddingRight: () => 6,
  paddingTop: (row) => (row === 0 ? 6 : 10),
  paddingBottom: (row) => (row === 0 ? 5 : 10),
};

const TOTALS_LAYOUT: CustomTableLayout = {
  hLineWidth: (row, node) => (row === node.table.body.length - 1 ? 0.9 : 0),
  hLineColor: () => BLUE,
  vLineWidth: () => 0,
  paddingLeft: () => 6,
  paddingRight: () => 6,
  paddingTop: () => 3,
  paddingBottom: () => 3,
};
