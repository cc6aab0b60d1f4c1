/** Measures ours and its floor in turns, so that what disturbs the machine disturbs both. */
import { runLoad, type Target } from "./load.ts";
import { type Row, spreadOf } from "./report.ts";
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
