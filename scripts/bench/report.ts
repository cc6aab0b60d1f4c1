/** The rows of the bench and the table at the end. */

export type Spread = ReturnType<typeof spreadOf>;

export interface Row {
  case: string;
  unit: string;
  ours: Spread;
  floor: Spread | null;
  /** Of each pair, ours divided by its floor. */
  ratio: Spread | null;
  /** What the median ratio, or where there is none our figure, must reach; null: it is only stated. */
  mustReach: { atLeast: number } | { atMost: number } | null;
  /** Ours divided by floor in processor time of the server per answer, which neighbours disturb less. */
  cpuRatio?: number;
}

export function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)! };
}

/** A row of our own figures alone. */
export function rowOf(name: string, unit: string, values: number[], atMost?: number): Row {
  const mustReach = atMost === undefined ? null : { atMost };
  return { case: name, unit, ours: spreadOf(values), floor: null, ratio: null, mustReach };
}

export function isReached({ ours, ratio, mustReach }: Row): boolean | null {
  if (mustReach === null) return null;
  const figure = (ratio ?? ours).median;
  return "atLeast" in mustReach ? figure >= mustReach.atLeast : figure <= mustReach.atMost;
}

const HEADINGS = ["case", "ours", "floor", "ratio", "must reach", "reached", "by cpu time"];

/** Markdown, so that it can stand in docs/performance.md as it is. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(cellsOf);
  const widths = HEADINGS.map((head, i) =>
    Math.max(head.length, ...cells.map((row) => row[i]!.length)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [HEADINGS, rule, ...cells]
    .map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`)
    .join("\n");
}

function cellsOf(row: Row): string[] {
  const { ours, floor, ratio, unit, cpuRatio } = row;
  const reached = isReached(row);
  const two = (value: number) => value.toFixed(2);
  return [
    row.case,
    figure(ours, unit),
    floor ? figure(floor, unit) : "",
    ratio ? `${two(ratio.median)} (${two(ratio.least)} to ${two(ratio.most)})` : "",
    mark(row),
    reached === null ? "" : reached ? "yes" : "NO",
    cpuRatio ? two(1 / cpuRatio) : "",
  ];
}

function mark({ mustReach, ratio, unit }: Row): string {
  if (mustReach === null) return "stated";
  const of = ratio ? "×" : ` ${unit}`;
  return "atLeast" in mustReach ? `≥ ${mustReach.atLeast}${of}` : `≤ ${mustReach.atMost}${of}`;
}

function figure({ median }: Spread, unit: string): string {
  if (median >= 100) return `${Math.round(median).toLocaleString("en-IN")} ${unit}`;
  return `${median.toFixed(median >= 10 ? 1 : 2)} ${unit}`;
}
