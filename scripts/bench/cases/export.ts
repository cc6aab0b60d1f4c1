/** The workbook of 20,000 appointments beside SheetJS alone, and what visitors feel of it. */
import { read, utils } from "xlsx";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { rowsPerDay } from "#scripts/bench/database.ts";
import { type LoadResult, probe, requestBytes } from "#scripts/bench/load.ts";
import { measurePairs, pairsOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";
import { signIn } from "./admin.ts";

const ROWS = 20_000;
/** Milliseconds between two requests of a visitor. */
const VISITOR_EVERY = 5;

export async function exportBesideSheetJs(setting: Setting, app: AppServer): Promise<Row[]> {
  const headers = await signIn(app);
  const last = addDays(dateInIndia(Date.now()), -1);
  const first = addDays(last, 1 - ROWS / rowsPerDay);
  const url = `${app.origin}/api/admin/export?startDate=${first}&endDate=${last}`;
  const download = async () => {
    const started = performance.now();
    const response = await fetch(url, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`the export answered ${response.status}: ${bytes}`);
    return { bytes, ms: performance.now() - started };
  };
  const { bytes } = await download();
  const sheet = read(bytes, { sheets: 0, dense: true }).Sheets.Appointments!;
  const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1 });
  if (rows.length !== ROWS + 1) throw new Error(`the export holds ${rows.length - 1} rows`);
  const floor = await setting.startWorkbookFloor(rows);
  await floor.ask();
  const times = await measurePairs(setting.effort.rounds, {
    ours: async () => (await download()).ms,
    floor: async () => (await floor.ask()).ms,
  });
  await floor.stop();
  return [
    {
      case: "export of 20,000 rows beside SheetJS alone",
      unit: "ms",
      ...times,
      mustReach: { atMost: 1.5 },
    },
    await visitorsMeanwhile(setting, app, download),
  ];
}

async function visitorsMeanwhile(
  setting: Setting,
  app: AppServer,
  download: () => Promise<{ ms: number }>,
): Promise<Row> {
  const visitors = () => probe({ port: app.port, request: requestBytes("/") }, VISITOR_EVERY);
  const meanwhile = async (work: () => Promise<unknown>): Promise<LoadResult> => {
    const running = visitors();
    await work();
    return running.stop();
  };
  const busy: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < setting.effort.rounds; round++) {
    let ms = 0;
    busy.push(
      (
        await meanwhile(async () => {
          ms = (await download()).ms;
        })
      ).p99,
    );
    idle.push((await meanwhile(() => new Promise((resolve) => setTimeout(resolve, ms)))).p99);
  }
  return {
    case: "p99 of GET / during an export, beside idle",
    unit: "ms",
    ...pairsOf(busy, idle),
    mustReach: { atMost: 3 },
  };
}
