/**
 * `npm run test:mutants -- [--count N] [--seed S] [--only PATH]`: changes one thing in the code, N
 * times, and counts how often the tests notice. It works in a copy under data/, so that the sources
 * and their build are never touched. What went unnoticed is printed, and all of it stands in
 * data/mutants.json. Not part of `npm test`: 200 changes take hours.
 */
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { apply, type Mutant, mutantsOf } from "#scripts/process/mutants.ts";
import { ROUTER } from "#scripts/process/production-build.ts";
import { tail } from "#scripts/process/tool-run.ts";

const VITEST = "node_modules/vitest/vitest.mjs";
const TREE = "data/mutants";
/** A change may make a loop endless. */
const LONGEST_RUN_MS = 10 * 60_000;
/** Who imports it asks the built server. */
const BUILT_APP = "tests/helpers/app.ts";
const SOURCES =
  "{app/{model,booking,payments,availability,auth,notifications,documents},db/queries}/**/*.ts";
const TESTS = "{app,db,tests/{code,notifications,operations,routes}}/**/*.test.{ts,tsx}";

const text = (otherwise: string) => ({ type: "string", default: otherwise }) as const;
const options = { count: text("200"), seed: text("1"), only: text("") };
const { count, seed, only } = parseArgs({ options }).values;

const tests = fs.globSync(TESTS).map((test) => ({ test, reached: reachedFrom(test) }));
const far = tests.filter(({ reached }) => reached.has(BUILT_APP)).map(({ test }) => test);
const all = fs
  .globSync(SOURCES)
  .filter((file) => file.startsWith(only) && !/\.test\.|fixture/.test(file))
  .flatMap((file) => mutantsOf(file, fs.readFileSync(file, "utf8")));
const sample = all
  .map((mutant) => ({ mutant, place: hash("sha256", `${seed} ${JSON.stringify(mutant)}`) }))
  .sort((a, b) => (a.place < b.place ? -1 : 1))
  .slice(0, Number(count))
  .map(({ mutant }) => mutant);

makeCopy();
await expectGreen();
const tried: (Mutant & { noticedBy: string | null; seconds: number })[] = [];
for (const mutant of sample) {
  const started = performance.now();
  const noticedBy = await tryOut(mutant);
  tried.push({ ...mutant, noticedBy, seconds: Math.round((performance.now() - started) / 1000) });
  const unnoticed = tried.filter((one) => one.noticedBy === null).length;
  const figures = { seed, of: all.length, tried: tried.length, unnoticed };
  fs.writeFileSync(`${TREE}.json`, JSON.stringify({ ...figures, mutants: tried }, null, 2));
  const { file, line, operator, replacement } = mutant;
  const told = `${file}:${line} ${operator} ${JSON.stringify(replacement.slice(0, 60))}`;
  console.log(`${tried.length} of ${sample.length}, ${unnoticed} unnoticed: ${told}`);
  console.log(`  ${noticedBy === null ? "UNNOTICED" : `noticed by ${noticedBy}`}`);
}
fs.rmSync(TREE, { recursive: true });

/** Near tests first: they need no build. */
async function tryOut(mutant: Mutant): Promise<string | null> {
  const path = join(TREE, mutant.file);
  const source = fs.readFileSync(path, "utf8");
  fs.writeFileSync(path, apply(source, mutant));
  try {
    if (!(await pass(nearOf(mutant.file)))) return "a near test";
    if (!(await succeeds([ROUTER, "build"]))) return "the build";
    return (await pass(far)) ? null : "a test of the built server";
  } finally {
    fs.writeFileSync(path, source);
  }
}

/** With a test that is red anyway every change would seem to be noticed. */
async function expectGreen(): Promise<void> {
  const near = sample.flatMap(({ file }) => nearOf(file));
  console.log(
    `${sample.length} of ${all.length} changes, seed ${seed}. First the tests unchanged …`,
  );
  const isBuilt = await succeeds([ROUTER, "build"], true);
  if (!isBuilt || !(await pass([...new Set(near), ...far], true))) process.exit(1);
}

function nearOf(file: string): string[] {
  const isNear = (reached: Set<string>) => reached.has(file) && !reached.has(BUILT_APP);
  return tests.filter(({ reached }) => isNear(reached)).map(({ test }) => test);
}

function pass(chosen: readonly string[], tells = false): Promise<boolean> | boolean {
  return chosen.length === 0 || succeeds([VITEST, "run", "--bail=1", ...chosen], tells);
}

/** Shows the end of a failure's output if it is to tell. */
function succeeds(args: readonly string[], tells = false): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: TREE,
    env: { ...process.env, NO_COLOR: "1" },
    timeout: LONGEST_RUN_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  return new Promise((done) => {
    child.on("close", (status) => {
      if (tells && status !== 0) console.error(tail(output));
      done(status === 0);
    });
  });
}

function makeCopy(): void {
  fs.rmSync(TREE, { recursive: true, force: true });
  const left = /^(node_modules|data|build|test-results|playwright-report|screenshots)$/;
  for (const name of fs.globSync("*").filter((entry) => !left.test(entry))) {
    fs.cpSync(name, join(TREE, name), { recursive: true });
  }
  fs.symlinkSync(resolve("node_modules"), join(TREE, "node_modules"));
}

/** The files that a file reaches by its imports, itself among them. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const next of importsOf(file)) reachedFrom(next, reached);
  return reached;
}

function importsOf(file: string): string[] {
  const found = fs
    .readFileSync(file, "utf8")
    .matchAll(/\b(?:from|import\()\s*"([#.][^"]+\.tsx?)"/g);
  return [...found].map(([, name = ""]) =>
    name.startsWith("#") ? name.slice(1) : join(dirname(file), name),
  );
}
