/** The rows of the bench, the table at the end, and what other products did on the same work. */

export interface Spread {
  median: number;
  least: number;
  most: number;
}

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

export function spreadOf(values: readonly number[]): Spread {
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

const PEERS_SOURCE = `Beside, measured apart from this bench on 2026-11-21: each product in the version named, and this one as
it was that day, on one machine with 2 shared cores, with 16 users and the same 5,000 appointments.
The ratios hold better than the figures.`;

const PEERS_HEAD = ["case", "Easy!Appointments 1.6.0", "OpenReception 2.2.0", "this product then"];

/** What booking products that people know do on the same work, by what the name of a case begins with. */
const PEERS = [
  ["GET /, no cookie", "126–130 /s", "197–229 /s", "10,900–15,200 /s"],
  ["GET /, rendered for one visitor", "112–130 /s", "", "255–314 /s"],
  ["GET /api/slots", "173–195 /s", "42–44 /s", "10,800–15,700 /s"],
  ["a month", "9.7–11.7 /s", "0.7–1.5 /s", "13,000–16,500 /s"],
  ["POST /api/appointments", "58–88 /s", "229–258 /s", "558–937 /s"],
  ["admin list", "92–98 /s", "", "1,006–1,393 /s"],
  ["GET /admin, 50 rows", "117–120 /s", "", "95–97 /s"],
  ["memory after the run", "433 MB", "1,300–3,260 MB", "459–499 MB"],
] as const;

/** Markdown, of the cases that ran; empty if no other product was measured on them. */
export function peersTable(cases: readonly string[]): string {
  const known = PEERS.filter(([of]) => cases.some((name) => name.startsWith(of)));
  if (known.length === 0) return "";
  const lines = [PEERS_HEAD, PEERS_HEAD.map(() => "---"), ...known];
  return `${PEERS_SOURCE}\n\n${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`;
}
