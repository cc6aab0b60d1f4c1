/**
 * `npm run bench -- [--only WORD]`: every case beside its floor in the same run; a table at
 * the end, and the same as JSON. `--only` runs the parts whose names hold the word.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { adminList, customerList, insightsOfYears } from "#scripts/bench/cases/admin-calls.ts";
import { exportBesideSheetJs, invoicesAtOnce } from "#scripts/bench/cases/documents.ts";
import { memoryAfter, restartLosesNothing, starts } from "#scripts/bench/cases/process.ts";
import {
  adminPage,
  bookings,
  calendarCalls,
  keptPage,
  renderedPage,
} from "#scripts/bench/cases/throughput.ts";
import { fillDatabase } from "#scripts/bench/database.ts";
import { isReached, type Row, tableOf } from "#scripts/bench/report.ts";
import { describeMachine, makeBench, pinLoad } from "#scripts/bench/servers.ts";
import { ensureBuild, ROUTER } from "#scripts/process/production-build.ts";
import { runNodeTool, tail } from "#scripts/process/tool-run.mjs";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";

const FOLDER = "data/bench";
const RESULTS = "data/bench-results.json";

const { only } = parseArgs({ options: { only: { type: "string", default: "" } } }).values;
if (!(await ensureBuild()) || !(await buildFloor())) process.exit(1);
process.on("exit", () => rmSync(FOLDER, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const isPinned = pinLoad();
console.log(`${describeMachine(isPinned)}\n`);
const rows: Row[] = [];
const sandbox = await startSandbox();
const bench = makeBench(`${FOLDER}/files`, sandbox, isPinned);
try {
  await runParts();
} finally {
  await bench.close();
  await sandbox.close();
}
report();

async function runParts(): Promise<void> {
  const large = bench.path("large.db");
  const small = bench.path("small.db");
  await fillDatabase(large, 100_000);
  await fillDatabase(small, 1_000);
  await part("start", () => starts(bench, small));
  await part("restart", () => restartLosesNothing(bench, large));
  const app = await bench.startApp(large);
  await part("kept page", () => keptPage(bench, app));
  await part("rendered page", () => renderedPage(bench, app));
  await part("calendar", () => calendarCalls(bench, app, large));
  await part("admin list", async () => {
    const other = await bench.startApp(small);
    const list = await adminList(app, other);
    await other.stop();
    return list;
  });
  await part("admin page", () => adminPage(bench, app));
  await part("customers", () => customerList(app));
  await part("insights", () => insightsOfYears(app));
  await part("export", () => exportBesideSheetJs(bench, app));
  await part("invoices", () => invoicesAtOnce(app, large));
  await part("memory", () => memoryAfter(bench, app, small));
  await app.stop();
  await part("bookings", () => bookings(bench, large));
}

async function part(name: string, measure: () => Promise<Row[]>): Promise<void> {
  if (!name.includes(only)) return;
  const started = performance.now();
  rows.push(...(await measure()));
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

function report(): void {
  console.log(`\n${tableOf(rows)}\n`);
  mkdirSync("data", { recursive: true });
  const results = rows.map((row) => ({ ...row, reached: isReached(row) }));
  const about = { at: new Date().toISOString(), machine: describeMachine(isPinned), only };
  writeFileSync(RESULTS, `${JSON.stringify({ ...about, rows: results }, null, 2)}\n`);
  const missed = results.filter(({ reached }) => reached === false).length;
  console.log(missed === 0 ? "Every mark is reached." : `${missed} marks are not reached.`);
  console.log(`The same as JSON: ${RESULTS}`);
  process.exit(missed === 0 ? 0 : 1);
}

async function buildFloor(): Promise<boolean> {
  const env = { ...process.env, NODE_ENV: "production" };
  const { status, output } = await runNodeTool([ROUTER, "build", "scripts/bench/floor-app"], {
    env,
  });
  if (status !== 0) console.error(tail(output));
  return status === 0;
}
