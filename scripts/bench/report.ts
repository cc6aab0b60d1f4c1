/** The table at the end, and the same as JSON. */
import type { Spread } from "./pairs.ts";

export interface Row {
  case: string;
  unit: string;
  ours: Spread | null;
  floor: Spread | null;
  ratio: Spread | null;
  /** What the median ratio, or where there is none our figure, must reach; null: it is only stated. */
  mustReach: { atLeast: number } | { atMost: number } | null;
  /** Ours divided by floor in processor time of the server per answer, which neighbours disturb less. */
  cpuRatio?: number | null;
}

export function isReached({ ours, ratio, mustReach }: Row): boolean | null {
  if (mustReach === null) return null;
  const figure = (ratio ?? ours)?.median ?? Number.NaN;
  return "atLeast" in mustReach ? figure >= mustReach.atLeast : figure <= mustReach.atMost;
}

const HEADINGS = ["case", "ours", "floor", "ratio", "must reach", "reached", "by cpu time"];

/** Markdown, so that it can stand in docs/performance.md as it is. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(cells[0]!), rule, ...cells.slice(1).map(line)].join("\n");
}

function cellsOf(row: Row): string[] {
  const reached = isReached(row);
  return [
    row.case,
    figure(row.ours, row.unit),
    figure(row.floor, row.unit),
    row.ratio ? `${two(row.ratio.median)} (${two(row.ratio.least)} to ${two(row.ratio.most)})` : "",
    mark(row),
    reached === null ? "" : reached ? "yes" : "NO",
    row.cpuRatio ? two(1 / row.cpuRatio) : "",
  ];
}

function mark({ mustReach, ratio, unit }: Row): string {
  if (mustReach === null) return "stated";
  const of = ratio ? "×" : ` ${unit}`;
  return "atLeast" in mustReach ? `≥ ${mustReach.atLeast}${of}` : `≤ ${mustReach.atMost}${of}`;
}

function figure(spread: Spread | null, unit: string): string {
  return spread === null ? "" : `${short(spread.median)} ${unit}`;
}

function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-IN");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function two(value: number): string {
  return value.toFixed(2);
}
