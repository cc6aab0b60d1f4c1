/** A restart under load, as the platform's proxy sees it. */

import { spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import { restartUnderLoad } from "#scripts/bench/restart.ts";
import type { Setting } from "#scripts/bench/setting.ts";

/** The proxy tries a refused connection again for 2 s. */
const LOAD = { count: 3_000, perSecond: 50, patience: 2_000 };

export async function restartLosesNothing(setting: Setting, filled: string): Promise<Row[]> {
  const database = setting.copy(filled, "restart.db");
  const { lost, gapMs } = await restartUnderLoad(setting, database, LOAD);
  for (const fault of lost.slice(0, 5)) console.log(fault);
  const row = { floor: null, ratio: null };
  return [
    {
      ...row,
      case: "requests of 3,000 lost in a restart",
      unit: "",
      ours: spreadOf([lost.length]),
      mustReach: { atMost: 0 },
    },
    {
      ...row,
      case: "old process' end to first answer, a migration between",
      unit: "ms",
      ours: spreadOf([gapMs]),
      mustReach: { atMost: 1_500 },
    },
  ];
}
