/**
 * `npm run bench -- [--quick] [--only WORD]`: every case beside its floor in the same run; a table at
 * the end, and the same as JSON. `--only` runs the parts whose names hold the word.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { adminList } from "#scripts/bench/cases/admin.ts";
import { adminPage } from "#scripts/bench/cases/admin-page.ts";
import { bookings } from "#scripts/bench/cases/bookings.ts";
import { calendarCalls } from "#scripts/bench/cases/calls.ts";
import { customerList } from "#scripts/bench/cases/customers.ts";
import { exportBesideSheetJs } from "#scripts/bench/cases/export.ts";
import { insightsOfYears } from "#scripts/bench/cases/insights.ts";
import { invoicesAtOnce } from "#scripts/bench/cases/invoices.ts";
import { keptPage, renderedPage } from "#scripts/bench/cases/pages.ts";
import { memoryAfter, starts } from "#scripts/bench/cases/process.ts";
import { restartLosesNothing } from "#scripts/bench/cases/restart.ts";
import { fillDatabase } from "#scripts/bench/database.ts";
import { peersTable } from "#scripts/bench/peers.ts";
import { describeMachine, describePinning, pinLoad } from "#scripts/bench/pinning.ts";
import { isReached, type Row, tableOf } from "#scripts/bench/report.ts";
import { Setting } from "#scripts/bench/setting.ts";
import type { Effort } from "#scripts/bench/throughput.ts";
import { ensureBuild, ROUTER } from "#scripts/process/production-build.ts";
import { runNodeTool, tail } from "#scripts/process/tool-run.ts";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";

const FOLDER = "data/bench";
const RESULTS = "data/bench-results.json";
const WHOLE: Effort = { rounds: 5, seconds: 2 };
const QUICK: Effort = { rounds: 2, seconds: 1 };

const { only, quick } = readOptions();
if (!(await ensureBuild()) || !(await buildFloor())) process.exit(1);
process.on("exit", () => rmSync(FOLDER, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const pinning = pinLoad();
console.log(`${describeMachine()}; ${describePinning(pinning)}\n`);
const rows: Row[] = [];
const sandbox = await startSandbox();
const setting = new Setting(`${FOLDER}/files`, quick ? QUICK : WHOLE, pinning, sandbox);
try {
  await runParts();
} finally {
  await setting.close();
  await sandbox.close();
}
report();

async function runParts(): Promise<void> {
  const large = setting.path("large.db");
  const small = setting.path("small.db");
  await fillDatabase(large, 100_000);
  await fillDatabase(small, 1_000);
  await part("start", () => starts(setting, small));
  await part("restart", () => restartLosesNothing(setting, large));
  const app = await setting.startApp(large);
  await part("kept page", () => keptPage(setting, app));
  await part("rendered page", () => renderedPage(setting, app));
  await part("calendar", () => calendarCalls(setting, app, large));
  await part("admin list", async () => {
    const other = await setting.startApp(small);
    const list = await adminList(setting, { large: app, small: other });
    await other.stop();
    return list;
  });
  await part("admin page", () => adminPage(setting, app));
  await part("customers", () => customerList(setting, app));
  await part("insights", () => insightsOfYears(setting, app));
  await part("export", () => exportBesideSheetJs(setting, app));
  await part("invoices", () => invoicesAtOnce(setting, app, large));
  await part("memory", () => memoryAfter(setting, app, small));
  await app.stop();
  await part("bookings", () => bookings(setting, large));
}

async function part(name: string, measure: () => Promise<Row[]>): Promise<void> {
  if (only && !name.includes(only)) return;
  const started = performance.now();
  rows.push(...(await measure()));
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

function report(): void {
  console.log(`\n${tableOf(rows)}\n`);
  console.log(peersTable(rows.map((row) => row.case)));
  mkdirSync("data", { recursive: true });
  const results = rows.map((row) => ({ ...row, reached: isReached(row) }));
  const about = { at: new Date().toISOString(), machine: describeMachine(), pinning, quick, only };
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

function readOptions() {
  try {
    const options = { quick: { type: "boolean" }, only: { type: "string" } } as const;
    const { values } = parseArgs({ options });
    return { quick: values.quick ?? false, only: values.only ?? null };
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
