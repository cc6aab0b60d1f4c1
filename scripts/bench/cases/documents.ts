/** Workbooks and invoices: how long they take, and what visitors feel of it meanwhile. */
import { setTimeout as sleep } from "node:timers/promises";
import { read, utils } from "xlsx";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { openDb } from "#db/connection.server.ts";
import { ROWS_PER_DAY } from "#scripts/bench/database.ts";
import { probe, requestBytes } from "#scripts/bench/load.ts";
import { measurePairs, pairRow, pairsOf, ROUNDS } from "#scripts/bench/measure.ts";
import { type Row, rowOf, spreadOf } from "#scripts/bench/report.ts";
import { type AppServer, type Bench, signIn } from "#scripts/bench/servers.ts";

const EXPORTED_ROWS = 20_000;
const INVOICES_AT_ONCE = 100;
/** Milliseconds between two requests of a visitor. */
const VISITOR_EVERY = 5;

const visitors = (app: AppServer) =>
  probe({ port: app.port, request: requestBytes("/") }, VISITOR_EVERY);

/** The whole answer, and the milliseconds until it was there. */
async function download(url: string, headers: Record<string, string> = {}) {
  const started = performance.now();
  const response = await fetch(url, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${bytes}`);
  return { bytes, ms: performance.now() - started };
}

/** The workbook of 20,000 appointments beside SheetJS alone. */
export async function exportBesideSheetJs(bench: Bench, app: AppServer): Promise<Row[]> {
  const headers = await signIn(app);
  const last = addDays(dateInIndia(Date.now()), -1);
  const first = addDays(last, 1 - EXPORTED_ROWS / ROWS_PER_DAY);
  const url = `${app.origin}/api/admin/export?startDate=${first}&endDate=${last}`;
  const { bytes } = await download(url, headers);
  const sheet = read(bytes, { sheets: 0, dense: true }).Sheets.Appointments!;
  const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1 });
  if (rows.length !== EXPORTED_ROWS + 1) {
    throw new Error(`the export holds ${rows.length - 1} rows`);
  }
  const floor = await bench.startFloor({ kind: "workbook", rows });
  const floorMs = async () => (await floor.ask<{ ms: number }>()).ms;
  await floorMs();
  const times = await measurePairs({
    ours: async () => (await download(url, headers)).ms,
    floor: floorMs,
  });
  await floor.stop();
  const busy: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const during = visitors(app);
    const { ms } = await download(url, headers);
    busy.push((await during.stop()).p99);
    const after = visitors(app);
    await sleep(ms);
    idle.push((await after.stop()).p99);
  }
  return [
    pairRow("export of 20,000 rows beside SheetJS alone", "ms", times, { atMost: 1.5 }),
    pairRow("p99 of GET / during an export, beside idle", "ms", pairsOf(busy, idle), { atMost: 3 }),
  ];
}

/** A hundred invoices asked for at once, and the slowest page that a visitor gets meanwhile. */
export async function invoicesAtOnce(app: AppServer, database: string): Promise<Row[]> {
  const urls = invoicedAppointments(database, INVOICES_AT_ONCE * (ROUNDS + 1)).map(
    (id) => `${app.origin}/api/invoice/${id}`,
  );
  const one: number[] = [];
  const all: number[] = [];
  const slowest: number[] = [];
  await download(urls[0]!);
  for (let round = 1; round <= ROUNDS; round++) {
    one.push((await download(urls[round]!)).ms);
    const asked = urls.slice(INVOICES_AT_ONCE * round, INVOICES_AT_ONCE * (round + 1));
    const during = visitors(app);
    const started = performance.now();
    await Promise.all(asked.map((url) => download(url)));
    all.push(performance.now() - started);
    slowest.push((await during.stop()).max);
  }
  return [
    { ...rowOf("100 invoices at once, beside one", "ms", all), floor: spreadOf(one) },
    rowOf("slowest GET / meanwhile", "ms", slowest, 100),
  ];
}

function invoicedAppointments(database: string, count: number): string[] {
  const db = openDb(database, { readonly: true });
  const rows = db.allRaw<{ id: string }>(
    "SELECT appointment_id AS id FROM document WHERE kind = 'invoice' LIMIT ?",
    [count],
  );
  db.close();
  return rows.map(({ id }) => id);
}
