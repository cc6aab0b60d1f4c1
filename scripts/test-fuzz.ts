/**
 * `npm run test:fuzz -- [--minutes M] [--runs N] [--seed S] [--crowds N]`: the fuzz tests alone:
 * storms of M minutes, N requests for each method of each route whose every effect is looked at, and
 * crowds at N of the routes (0: all of them) beside a visitor whose wait is measured.
 */
import { runAlone, wholeNumbers } from "#scripts/process/test-run.ts";

const options = wholeNumbers(["minutes", "runs", "seed", "crowds"]);
const { minutes = "2", seed = String(Date.now() % 1_000_000) } = options;
// Where only a time is given, the rest stays short.
const runs = options.runs ?? (options.minutes ? "15" : "500");
const crowds = options.crowds ?? (options.minutes ? "4" : "0");
const env = {
  FUZZ_SECONDS: String(Number(minutes) * 60),
  FUZZ_RUNS: runs,
  FUZZ_SEED: seed,
  FUZZ_CROWDS: crowds,
};
await runAlone(`fuzz tests, seed ${seed}`, "whole", env, "tests/fuzz");
