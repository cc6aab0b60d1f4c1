/** Measures ours and its floor in turns, so that what disturbs the machine disturbs both. */
import { runLoad, type Target } from "./load.ts";
import type { ServerProcess } from "./servers.ts";

export const ROUNDS = 5;
/** How long one measurement takes. */
export const SECONDS = 2;
const WARM_UP_ANSWERS = 500;

type Pairs = Pick<Row, "ours" | "ratio"> & { floor: NonNullable<Row["floor"]> };

/** Every second pair begins with the floor. */
export async function measurePairs(sides: {
  ours: () => Promise<number>;
  floor: () => Promise<number>;
}): Promise<Pairs> {
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 1) floor.push(await sides.floor());
    ours.push(await sides.ours());
    if (round % 2 === 0) floor.push(await sides.floor());
  }
  return pairsOf(ours, floor);
}

export function pairsOf(ours: readonly number[], floor: readonly number[]): Pairs {
  return {
    ours: spreadOf(ours),
    floor: spreadOf(floor),
    ratio: spreadOf(ours.map((value, i) => value / floor[i]!)),
  };
}

export function pairRow(
  name: string,
  unit: string,
  pairs: Pairs,
  mustReach: Row["mustReach"],
): Row {
  return { case: name, unit, ...pairs, mustReach };
}

/** The value of each round of a measurement that has no floor. */
export async function inRounds<T>(measure: () => Promise<T>) {
  const values: T[] = [];
  for (let round = 0; round < ROUNDS; round++) values.push(await measure());
  return values;
}

interface Side {
  server: ServerProcess;
  request: Target["request"];
  /** Status of every answer; 200 if not said. */
  expect?: number;
}

interface Comparison {
  name: string;
  connections?: number;
  /** Null: it is only stated. */
  atLeast: number | null;
}

/** Requests per second of a server beside its floor. */
export async function compareThroughput(
  { name, connections = 16, atLeast }: Comparison,
  ours: Side,
  floor: Side,
): Promise<Row> {
  const targetOf = ({ server, request, expect }: Side) => ({ port: server.port, request, expect });
  const cpu = { ours: [] as number[], floor: [] as number[] };
  const measure = (side: Side, cpuMs: number[]) => async () => {
    const before = side.server.cpuMs();
    const { answers, perSecond } = await runLoad(targetOf(side), { connections, seconds: SECONDS });
    cpuMs.push((side.server.cpuMs() - before) / answers);
    return perSecond;
  };
  // The first requests compile and fill caches: so many of them, however slow the machine is.
  for (const side of [ours, floor]) {
    await runLoad(targetOf(side), { connections, answers: WARM_UP_ANSWERS });
    await runLoad(targetOf(side), { connections, seconds: SECONDS / 2 });
  }
  const pairs = await measurePairs({
    ours: measure(ours, cpu.ours),
    floor: measure(floor, cpu.floor),
  });
  const cpuRatio = spreadOf(cpu.ours).median / spreadOf(cpu.floor).median;
  return { ...pairRow(name, "/s", pairs, atLeast === null ? null : { atLeast }), cpuRatio };
}

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
