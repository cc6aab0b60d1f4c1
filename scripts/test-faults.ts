/** `npm run test:faults -- [--histories N] [--seed S]`: the fault tests alone, as long as wished. */
import { ensureBuild } from "#scripts/process/production-build.ts";
import { Tally } from "#scripts/process/test-tally.ts";
import { runVitest } from "#scripts/process/vitest-run.ts";
import { wholeNumbers } from "#scripts/process/whole-numbers.ts";

const { histories, seed } = wholeNumbers(["histories", "seed"]);
const env: NodeJS.ProcessEnv = {};
if (histories) env.FAULT_HISTORIES = histories;
if (seed) env.FAULT_SEED = seed;
if (!(await ensureBuild())) process.exit(1);
const tally = new Tally();
await tally.step("fault tests", () => runVitest(["faults"], env));
process.exit(tally.close());
