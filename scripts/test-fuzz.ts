/** `npm run test:fuzz -- [--runs N] [--seed S]`: the fuzz tests alone, as long as wished. */
import { ensureBuild } from "./production-build.ts";
import { Tally } from "./test-tally.ts";
import { runVitest } from "./vitest-run.ts";
import { wholeNumbers } from "./whole-numbers.ts";

const { runs = "500", seed = String(Date.now() % 1_000_000) } = wholeNumbers(["runs", "seed"]);
if (!(await ensureBuild())) process.exit(1);
const tally = new Tally();
const env = { FUZZ_RUNS: runs, FUZZ_SEED: seed };
await tally.step(`fuzz tests, ${runs} requests for each method of each route, seed ${seed}`, () =>
  runVitest(["whole"], env, ["tests/fuzz/fuzz.test.ts"]),
);
process.exit(tally.close());
