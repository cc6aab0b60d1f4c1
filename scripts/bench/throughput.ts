/** Requests per second of a server beside its floor. */
import { burst, press, type Target } from "./load.ts";
import { measurePairs, spreadOf } from "./pairs.ts";
import type { Row } from "./report.ts";
import type { ServerProcess } from "./server-process.ts";

const WARM_ANSWERS = 500;

export interface Effort {
  rounds: number;
  /** Seconds of one measurement. */
  seconds: number;
}

interface Side {
  server: ServerProcess;
  request: Target["request"];
  expect?: number;
}

interface Comparison {
  name: string;
  connections: number;
  /** Null: it is only stated. */
  atLeast: number | null;
  effort: Effort;
}

export async function compareThroughput(
  { name, connections, atLeast, effort: { rounds, seconds } }: Comparison,
  ours: Side,
  floor: Side,
): Promise<Row> {
  const cpu = { ours: [] as number[], floor: [] as number[] };
  const measure = (side: Side, into: number[]) => async () => {
    const before = side.server.cpuMs();
    const result = await press(targetOf(side), { connections, seconds });
    const after = side.server.cpuMs();
    if (before !== null && after !== null) into.push((after - before) / result.answers);
    return result.perSecond;
  };
  // The first requests compile and fill caches on both sides.
  for (const side of [ours, floor]) await warmUp(side, connections, seconds);
  const pairs = await measurePairs(rounds, {
    ours: measure(ours, cpu.ours),
    floor: measure(floor, cpu.floor),
  });
  const measured = cpu.ours.length > 0;
  return {
    case: name,
    unit: "/s",
    ...pairs,
    mustReach: atLeast === null ? null : { atLeast },
    cpuRatio: measured ? spreadOf(cpu.ours).median / spreadOf(cpu.floor).median : null,
  };
}

/** By number, and not only by time, so that a slow machine measures compiled code too. */
async function warmUp(side: Side, connections: number, seconds: number): Promise<void> {
  await burst(targetOf(side), { connections, answers: WARM_ANSWERS });
  await press(targetOf(side), { connections, seconds: seconds / 2 });
}

function targetOf({ server, request, expect }: Side): Target {
  return { port: server.port, request, ...(expect ? { expect } : {}) };
}
