/** What the booking page asks while somebody chooses: the times of a day, the free days of a month. */
import { COUNSELORS } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { requestBytes } from "#scripts/bench/load.ts";
import type { Row } from "#scripts/bench/report.ts";
import { type AppServer, FLOOR_BUILD, type Setting } from "#scripts/bench/setting.ts";
import { compareThroughput } from "#scripts/bench/throughput.ts";

export async function calendarCalls(
  setting: Setting,
  app: AppServer,
  database: string,
): Promise<Row[]> {
  const floor = await setting.startFloor({ kind: "calls", build: FLOOR_BUILD, database });
  const today = dateInIndia(Date.now());
  const counselor = COUNSELORS[0]!.name;
  const query = (fields: Record<string, string>) =>
    new URLSearchParams({ counselor, package: "30", ...fields }).toString();
  const day = query({ date: addDays(today, 20) });
  const month = query({ from: addDays(today, 10), to: addDays(today, 40) });
  const cases = [
    ["GET /api/slots", "/api/slots", "/slots", day, 0.7],
    ["a month, half booked, 100,000 in the file", "/api/availability", "/month", month, 0.5],
  ] as const;
  const rows: Row[] = [];
  for (const [name, path, floorPath, search, atLeast] of cases) {
    const ours = { server: app, request: requestBytes(`${path}?${search}`) };
    const theirs = { server: floor, request: requestBytes(`${floorPath}?${search}`) };
    const load = { name, connections: 16, atLeast, effort: setting.effort };
    rows.push(await compareThroughput(load, ours, theirs));
  }
  await floor.stop();
  return rows;
}
