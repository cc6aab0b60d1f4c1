/**
 * `npm run lighthouse [-- --runs N]`: Lighthouse as a phone sees the built server, the median of
 * several runs for each page; status 1 below the bounds. npm fetches Lighthouse into its cache the
 * first time: 170 MB that nothing else of the project needs.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { requireChromium } from "#scripts/process/chromium.ts";
import { freePort } from "#scripts/process/ports.ts";
import { ensureBuild } from "#scripts/process/production-build.ts";
import { runTool, tail } from "#scripts/process/tool-run.ts";
import { wholeNumbers } from "#scripts/process/whole-numbers.ts";
import { startTestApp } from "#tests/helpers/app.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";

/** Of 100. Each run of performance varies by a point or two. */
const BOUNDS: Record<string, number> = {
  performance: 98,
  accessibility: 100,
  "best-practices": 100,
  seo: 100,
};

const FIGURES = [
  ["first-contentful-paint", "first paint"],
  ["largest-contentful-paint", "largest paint"],
  ["total-blocking-time", "blocked"],
  ["cumulative-layout-shift", "shift"],
  ["total-byte-weight", "bytes"],
] as const;

/** Pages that search engines may find: one kept out of them has no score there. */
const PAGES = ["/", "/terms", "/contact"];

/** What is read of Lighthouse's report. */
interface Report {
  runtimeError?: { message: string };
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number }>;
}

const { runs: wanted = "5" } = wholeNumbers(["runs"]);
if (!(await ensureBuild())) process.exit(1);
const app = await startTestApp({ separateProcess: true });
const port = await freePort();
const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: [`--remote-debugging-port=${port}`, "--no-sandbox", "--disable-gpu"],
});
const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
let isReached = true;
try {
  for (const page of PAGES) isReached = (await measure(page)) && isReached;
} finally {
  await browser.close();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isReached ? 0 : 1);

async function measure(path: string): Promise<boolean> {
  const reports: Report[] = [];
  for (let i = 0; i < Number(wanted); i++) reports.push(await run(`${app.origin}${path}`));
  console.log(`\n${path}, median of ${reports.length}`);
  let isHighEnough = true;
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const score = median(reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100));
    const verdict = score >= bound ? "" : `  (must be ${bound})`;
    console.log(`  ${name.padEnd(16)}${String(Math.round(score)).padStart(4)}${verdict}`);
    isHighEnough &&= score >= bound;
  }
  const figures = FIGURES.map(([audit, name]) => {
    const value = median(reports.map(({ audits }) => audits[audit]?.numericValue ?? 0));
    return `${name} ${display(audit, value)}`;
  });
  console.log(`  ${figures.join(", ")}`);
  return isHighEnough;
}

async function run(url: string): Promise<Report> {
  const file = join(folder, "report.json");
  const flags = `--quiet --port=${port} --only-categories=${Object.keys(BOUNDS).join(",")} --output=json --output-path=${file} --no-enable-error-reporting`;
  const command = `exec --yes --package=${LIGHTHOUSE} -- lighthouse ${url} ${flags}`;
  const { status, output } = await runTool("npm", command.split(" "));
  if (status !== 0) throw new Error(`Lighthouse ended with ${status}:\n${tail(output)}`);
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  if (report.runtimeError) throw new Error(`Lighthouse on ${url}: ${report.runtimeError.message}`);
  return report;
}

function display(audit: string, value: number): string {
  if (audit === "cumulative-layout-shift") return value.toFixed(3);
  if (audit === "total-byte-weight") return `${(value / 1000).toFixed(1)} kB`;
  return `${Math.round(value)} ms`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
