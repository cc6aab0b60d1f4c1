/**
 * `npm run test:fuzz -- [--minutes M] [--runs N] [--seed S] [--crowds N]`: the fuzz tests alone:
 * storms of M minutes, N requests for each method of each route whose every effect is looked at, and
 * crowds at N of the routes (0: all of them) beside a visitor whose wait is measured.
 */
import { runSteps } from "#scripts/process/test-run.ts";
import { wholeNumbers } from "#scripts/process/whole-numbers.ts";

const options = wholeNumbers(["minutes", "runs", "seed", "crowds"]);
const { minutes = "2", seed = String(Date.now() % 1_000_000) } = options;
// Asked only for a time, the other part stays as short as in `npm test`.
const runs = options.runs ?? (options.minutes ? "15" : "500");
const crowds = options.crowds ?? (options.minutes ? "4" : "0");
const parts = [
  { name: `a storm of ${minutes} minutes`, file: "tests/fuzz/storm.test.ts" },
  { name: `${runs} requests for each method of each route`, file: "tests/fuzz/fuzz.test.ts" },
  { name: "what each write adds to the file", file: "tests/fuzz/growth.test.ts" },
  { name: "what was decided before a change", file: "tests/fuzz/meanwhile.test.ts" },
  { name: "crowds beside a visitor", file: "tests/fuzz/crowds.test.ts" },
];
const env = {
  FUZZ_SECONDS: String(Number(minutes) * 60),
  FUZZ_RUNS: runs,
  FUZZ_SEED: seed,
  FUZZ_CROWDS: crowds,
};
await runSteps(
  parts.map(({ name, file }) => ({
    name: `fuzz tests, ${name}, seed ${seed}`,
    project: "whole",
    env,
    file,
  })),
);
