/**
 * Makes the changes and counts. All drawn changes stand in one build, each behind a switch. First it
 * learns which test files enter which function, so that a change meets only those; it works in copies
 * under data/.
 */
import { hash } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { spawnNode } from "#scripts/process/child-processes.ts";
import { ROUTER } from "#scripts/process/production-build.ts";
import { TSC } from "#scripts/process/test-run.ts";
import { tail } from "#scripts/process/tool-run.mjs";
import { apply, type Mutant, mutantsOf, nameOfBody, switched } from "./mutants.ts";

const VITEST = "node_modules/vitest/vitest.mjs";
const TREES = "data/mutants";
/** As the sources are, for the compiler. */
const TYPED = join(TREES, "typed");
/** A change may make a loop endless. */
const LONGEST_RUN_MS = 15 * 60_000;
/** All tests unchanged, each file in a process of its own; a slow machine needs more than 15 min. */
const LONGEST_FIRST_RUN_MS = 45 * 60_000;
/** Who imports a file that names one of them asks the built server. */
const BUILT = /build\/server|scripts\/serve\.mjs/;
/** Tests that meet a change before the others do. */
const MOST_SPECIFIC = 3;
/** As many changes meet the rest of the built server's tests together. */
const AT_ONCE = 5;
const SOURCES =
  "{app/{model,booking,payments,availability,auth,notifications,documents,insights},db/queries}/**/*.ts";
const TESTS = "{app,db,tests/{notifications,operations,routes}}/**/*.test.{ts,tsx}";
const PROJECTS = ["--project=unit", "--project=routes"];

/** One file for each process, which is one test file; its threads and servers write there too. */
const REACHED = join(TREES, "reached");

/** Runs first in each process of a tree; `active` in the tree lists the numbers of the changes made. */
const preloadOf = (tree: string) => `
import fs from "node:fs";
const active = ${JSON.stringify(resolve(tree, "active"))};
const folder = ${JSON.stringify(resolve(REACHED))};
const seen = new Set();
if (fs.existsSync(active)) globalThis.mutants = new Set(JSON.parse(fs.readFileSync(active, "utf8")));
else globalThis.reached = (body) => {
  const test = globalThis.__vitest_worker__?.filepath ?? "";
  const line = test + " " + body + "\\n";
  if (seen.has(line)) return;
  seen.add(line);
  for (const id of test ? [process.pid] : [process.pid, process.ppid])
    fs.appendFileSync(folder + "/" + id, line);
};
`;

const text = (otherwise: string) => ({ type: "string", default: otherwise }) as const;
const options = { count: text("200"), seed: text("1"), only: text(""), workers: text("2") };
const { count, seed, only, workers } = parseArgs({ options }).values;

const tests = fs.globSync(TESTS).map((test) => ({ test, imports: reachedFrom(test) }));
const asksBuilt = (file: string) => BUILT.test(fs.readFileSync(file, "utf8"));
const far = new Set(tests.filter((one) => [...one.imports].some(asksBuilt)).map((one) => one.test));
const all = fs
  .globSync(SOURCES)
  .filter((file) => !/\.test\.|fixture/.test(file))
  .flatMap((file) => mutantsOf(file, fs.readFileSync(file, "utf8")));
const drawn = all
  .filter(({ file }) => file.startsWith(only))
  .map((mutant) => ({ mutant, place: hash("sha256", `${seed} ${JSON.stringify(mutant)}`) }))
  .sort((a, b) => (a.place < b.place ? -1 : 1))
  .map(({ mutant }) => mutant)
  .slice(0, 1.7 * Number(count));

const trees = Array.from({ length: Number(workers) }, (_, number) => join(TREES, `${number + 1}`));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
fs.rmSync(TREES, { recursive: true, force: true });
for (const tree of [TYPED, ...trees]) makeCopy(tree);
await Promise.all(trees.map(buildSwitched));
const reached = await bodiesReached(trees[0]!);
await expectGreen(TYPED, [ROUTER, "typegen"]);
await expectGreen(TYPED, [TSC]);
const refused = await refusedByTypes(drawn);
const sample = drawn.filter((mutant) => !refused.has(mutant)).slice(0, Number(count));
const notCompiled = drawn.indexOf(sample.at(-1)!) + 1 - sample.length;

const tried: (Mutant & { noticedBy: string | null })[] = [];
const survivors: Mutant[] = [];
const queue = sample.values();
await Promise.all(trees.map(meetAlone));
const groups = grouped(survivors, AT_ONCE).values();
await Promise.all(trees.map(meetTogether));
fs.rmSync(TREES, { recursive: true });

/** What the compiler finds in the very file of the change. */
async function refusedByTypes(mutants: readonly Mutant[]): Promise<Set<Mutant>> {
  const found = new Set<Mutant>();
  for (const group of grouped(mutants, Number.POSITIVE_INFINITY)) {
    const originals = group.map(({ file }) => fs.readFileSync(file, "utf8"));
    for (const [index, mutant] of group.entries()) {
      fs.writeFileSync(join(TYPED, mutant.file), apply(originals[index]!, mutant));
    }
    const errors = await run(TYPED, [TSC]);
    for (const [index, mutant] of group.entries()) {
      fs.writeFileSync(join(TYPED, mutant.file), originals[index]!);
      if (errors?.includes(`${mutant.file}(`)) found.add(mutant);
    }
  }
  return found;
}

/** One change at a time: the tests that need no server, and the first of those that ask it. */
async function meetAlone(tree: string): Promise<void> {
  for (const mutant of queue) {
    const near = testsOf(mutant).filter((test) => !far.has(test));
    const asking = farTestsOf(mutant);
    const failed =
      (await runWith(tree, [mutant], near.slice(0, MOST_SPECIFIC))) ??
      (await runWith(tree, [mutant], near.slice(MOST_SPECIFIC))) ??
      (await runWith(tree, [mutant], asking.slice(0, MOST_SPECIFIC)));
    if (failed === null && asking.length > MOST_SPECIFIC) survivors.push(mutant);
    else tell(mutant, failed);
  }
}

/** A few changes at once; then each alone meets the tests that failed, if it can be the reason. */
async function meetTogether(tree: string): Promise<void> {
  for (const group of groups) {
    const files = [...new Set(group.flatMap(farTestsOf))];
    const output = await runWith(tree, group, files, []);
    const named = failuresIn(output ?? "").flatMap((name) => fileIn(name) ?? []);
    const failing = new Set(output === null || named.length > 0 ? named : files);
    for (const mutant of group) {
      const suspects = farTestsOf(mutant).filter((test) => failing.has(test));
      tell(mutant, await runWith(tree, [mutant], suspects));
    }
  }
}

function farTestsOf(mutant: Mutant): string[] {
  return testsOf(mutant).filter((test) => far.has(test));
}

/** The tests with these changes made; by itself it ends at the first that fails. */
async function runWith(
  tree: string,
  mutants: readonly Mutant[],
  files: readonly string[],
  options: readonly string[] = ["--bail=1"],
): Promise<string | null> {
  if (files.length === 0) return null;
  const numbers = mutants.map((mutant) => drawn.indexOf(mutant));
  fs.writeFileSync(join(tree, "active"), JSON.stringify(numbers));
  return run(tree, [VITEST, "run", ...PROJECTS, ...options, ...files]);
}

/** Changes of different files, so that none hides another. */
function grouped(mutants: readonly Mutant[], most: number): Mutant[][] {
  const made: Mutant[][] = [];
  for (const mutant of mutants) {
    const isOf = ({ file }: Mutant) => file === mutant.file;
    const group = made.find((one) => one.length < most && !one.some(isOf));
    if (group) group.push(mutant);
    else made.push([mutant]);
  }
  return made;
}

/** `failed` is the output of a run that failed. */
function tell(mutant: Mutant, failed: string | null): void {
  const noticedBy = failed && (failuresIn(failed)[0] ?? tail(failed, 1));
  tried.push({ ...mutant, noticedBy });
  const unnoticed = tried.filter((one) => one.noticedBy === null).length;
  const figures = { seed, of: all.length, notCompiled, tried: tried.length, unnoticed };
  fs.writeFileSync(`${TREES}.json`, JSON.stringify({ ...figures, mutants: tried }, null, 2));
  const { file, line, operator, replacement } = mutant;
  const change = `${file}:${line} ${operator} ${JSON.stringify(replacement.slice(0, 60))}`;
  console.log(`${tried.length} of ${count}, ${unnoticed} unnoticed: ${change}`);
  console.log(`  ${noticedBy === null ? "UNNOTICED" : `noticed by ${noticedBy}`}`);
}

/**
 * What enters the body of a change; of what runs as a module is loaded, all that may load it. Those
 * that enter little else come first, since they notice most.
 */
function testsOf(mutant: Mutant): string[] {
  const entered = (test: string) => reached.get(test)?.size ?? 0;
  const enters = (test: string) => reached.get(test)?.has(nameOfBody(mutant));
  const mayLoad = ({ test, imports }: (typeof tests)[number]) =>
    far.has(test) || imports.has(mutant.file);
  return tests
    .filter((one) => (mutant.body ? enters(one.test) : mayLoad(one)))
    .map(({ test }) => test)
    .sort((a, b) => entered(a) - entered(b));
}

async function buildSwitched(tree: string): Promise<void> {
  for (const [file, mutants] of Map.groupBy(all, (mutant) => mutant.file)) {
    const source = fs.readFileSync(file, "utf8");
    fs.writeFileSync(join(tree, file), switched(source, mutants, drawn));
  }
  const serve = join(tree, "scripts/serve.mjs");
  fs.writeFileSync(serve, preloadOf(tree) + fs.readFileSync(serve, "utf8"));
  await expectGreen(tree, [ROUTER, "build"]);
}

/** The bodies that each test file enters, of the unchanged code; a red test ends everything. */
async function bodiesReached(tree: string): Promise<Map<string, Set<string>>> {
  console.log(`${count} of ${all.length} changes, seed ${seed}. First the tests unchanged …`);
  fs.mkdirSync(REACHED);
  const each = tests.map(({ test }) => test);
  const args = [VITEST, "run", ...PROJECTS, "--isolate", ...each];
  const failed = await run(tree, args, LONGEST_FIRST_RUN_MS);
  // A busy machine makes one or another too late: those are tried again by themselves.
  const again = [...new Set(failuresIn(failed ?? "").flatMap((name) => fileIn(name) ?? []))];
  if (failed !== null && again.length === 0) end(failed);
  for (const file of again) await expectGreen(tree, [VITEST, "run", "--isolate", file]);
  const found = new Map<string, Set<string>>();
  for (const name of fs.readdirSync(REACHED)) {
    const text = fs.readFileSync(join(REACHED, name), "utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" "));
    const bodies = lines.map(([, body = ""]) => body);
    for (const path of new Set(lines.map(([test = ""]) => test))) {
      const test = path.slice(resolve(tree).length + 1);
      found.set(test, new Set([...bodies, ...(found.get(test) ?? [])]));
    }
  }
  return found;
}

/** With a test that is red anyway every change would seem to be noticed. */
async function expectGreen(tree: string, args: readonly string[]): Promise<void> {
  const failed = await run(tree, args);
  if (failed !== null) end(failed);
}

function end(failed: string): never {
  console.error(tail(failed));
  process.exit(1);
}

/** The output if it fails, else null. */
async function run(
  tree: string,
  args: readonly string[],
  longestMs = LONGEST_RUN_MS,
): Promise<string | null> {
  const preload = `--import data:text/javascript,${encodeURIComponent(preloadOf(tree))}`;
  const env = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: preload };
  const child = spawnNode(args, { cwd: tree, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  // A loop without end in a test's own process outlives whoever started it.
  const kill = () => process.kill(-child.pid!, "SIGKILL");
  const timer = setTimeout(kill, longestMs);
  process.once("exit", kill);
  const [status] = await once(child, "close");
  process.off("exit", kill);
  clearTimeout(timer);
  return status === 0 ? null : `${output}\n${args[0]} ended with ${status}`;
}

function failuresIn(output: string): string[] {
  return [...output.matchAll(/^ *FAIL +(.+)/gm)].map(([, name = ""]) => name);
}

function fileIn(failure: string): string | undefined {
  return failure.match(/\S+\.test\.tsx?/)?.[0];
}

function makeCopy(tree: string): void {
  const left = /^(node_modules|data|build|test-results|playwright-report|screenshots)$/;
  for (const name of fs.globSync("*").filter((entry) => !left.test(entry))) {
    fs.cpSync(name, join(tree, name), { recursive: true });
  }
  fs.symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
}

/** The files that a file reaches by its imports, itself among them. */
function reachedFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const next of importsOf(file)) reachedFrom(next, found);
  return found;
}

function importsOf(file: string): string[] {
  const found = fs
    .readFileSync(file, "utf8")
    .matchAll(/\b(?:from|import\()\s*"([#.][^"]+\.tsx?)"/g);
  return [...found].map(([, name = ""]) =>
    name.startsWith("#") ? name.slice(1) : join(dirname(file), name),
  );
}
