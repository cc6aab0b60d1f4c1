/** The figures of five years, all worked out anew: what they cost the thread that answers. */
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { BOOKED_DAYS } from "#scripts/bench/database.ts";
import { press, requestBytes } from "#scripts/bench/load.ts";
import { spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";
import { signIn } from "./admin.ts";

const FIVE_YEARS = 1826;

export async function insightsOfYears(setting: Setting, app: AppServer): Promise<Row[]> {
  const headers = await signIn(app);
  const to = addDays(dateInIndia(Date.now()), BOOKED_DAYS);
  const search = new URLSearchParams({ from: addDays(to, 1 - FIVE_YEARS), to });
  const request = requestBytes(`/api/admin/insights?${search}`, { headers });
  const effort = { connections: 1, seconds: setting.effort.seconds };
  const medians: number[] = [];
  for (let round = 0; round < setting.effort.rounds; round++) {
    medians.push((await press({ port: app.port, request }, effort)).p50);
  }
  const ours = spreadOf(medians);
  const name = "insights of five years, 100,000 in the file";
  return [{ case: name, unit: "ms", ours, floor: null, ratio: null, mustReach: { atMost: 100 } }];
}
