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
const BOUNDS = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 } as const;
type Category = keyof typeof BOUNDS;
const CATEGORIES = Object.keys(BOUNDS) as Category[];

const FIGURES = [
  ["first-contentful-paint", "first paint"],
  ["largest-contentful-paint", "largest paint"],
  ["total-blocking-time", "blocked"],
  ["cumulative-layout-shift", "shift"],
  ["total-byte-weight", "bytes"],
] as const;

/** That may be found: a page kept out of search engines has no score there. */
const PAGES = ["/", "/terms", "/contact"];

const { runs: wanted = "5" } = wholeNumbers(["runs"]);
if (!(await ensureBuild())) process.exit(1);
const app = await startTestApp({ separateProcess: true });
const port = await freePort();
const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: [`--remote-debugging-port=${port}`, "--no-sandbox", "--disable-gpu"],
});
const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
let reached = true;
try {
  for (const page of PAGES) reached = (await measure(page)) && reached;
} finally {
  await browser.close();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(reached ? 0 : 1);

async function measure(path: string): Promise<boolean> {
  const runs: Run[] = [];
  for (let i = 0; i < Number(wanted); i++) runs.push(await run(`${app.origin}${path}`));
  const scores = CATEGORIES.map(
    (name) => [name, median(runs.map((one) => one.scores[name]))] as const,
  );
  console.log(`\n${path}, median of ${runs.length}`);
  for (const [name, score] of scores) {
    const verdict = score >= BOUNDS[name] ? "" : `  (must be ${BOUNDS[name]})`;
    console.log(`  ${name.padEnd(16)}${String(Math.round(score)).padStart(4)}${verdict}`);
  }
  const figures = FIGURES.map(
    ([audit, name]) => `${name} ${display(audit, median(runs.map((one) => one.figures[audit]!)))}`,
  );
  console.log(`  ${figures.join(", ")}`);
  for (const audit of new Set(runs.flatMap((one) => one.failed))) console.log(`  ✗ ${audit}`);
  return scores.every(([name, score]) => score >= BOUNDS[name]);
}

interface Run {
  scores: Record<Category, number>;
  figures: Record<string, number>;
  /** Audits that count and were not passed whole, performance apart. */
  failed: string[];
}

/** What is read of Lighthouse's report. */
interface Report {
  runtimeError?: { message: string };
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

async function run(url: string): Promise<Run> {
  const file = join(folder, "report.json");
  const { status, output } = await runTool("npm", [
    ...["exec", "--yes", `--package=${LIGHTHOUSE}`, "--", "lighthouse", url, "--quiet"],
    ...[`--port=${port}`, `--only-categories=${CATEGORIES.join(",")}`],
    ...["--output=json", `--output-path=${file}`, "--no-enable-error-reporting"],
  ]);
  if (status !== 0) throw new Error(`Lighthouse ended with ${status}:\n${tail(output)}`);
  const { runtimeError, categories, audits } = JSON.parse(readFileSync(file, "utf8")) as Report;
  if (runtimeError) throw new Error(`Lighthouse on ${url}: ${runtimeError.message}`);
  const failed = CATEGORIES.filter((name) => name !== "performance").flatMap((name) =>
    categories[name]!.auditRefs.filter(
      ({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1,
    ).map(({ id }) => `${name}: ${audits[id]?.title}`),
  );
  return {
    scores: Object.fromEntries(
      CATEGORIES.map((name) => [name, (categories[name]?.score ?? 0) * 100]),
    ) as Record<Category, number>,
    figures: Object.fromEntries(
      FIGURES.map(([audit]) => [audit, audits[audit]?.numericValue ?? 0]),
    ),
    failed,
  };
}

function display(audit: string, value: number): string {
  if (audit === "cumulative-layout-shift") return value.toFixed(3);
  return audit === "total-byte-weight"
    ? `${(value / 1000).toFixed(1)} kB`
    : `${Math.round(value)} ms`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
