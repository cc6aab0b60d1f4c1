/** `npm run test:faults -- [--histories N] [--seed S]`: the fault tests alone, as long as you ask. */
import { runAlone, wholeNumbers } from "#scripts/process/test-run.ts";

const { histories, seed } = wholeNumbers(["histories", "seed"]);
const env: NodeJS.ProcessEnv = {};
if (histories) env.FAULT_HISTORIES = histories;
if (seed) env.FAULT_SEED = seed;
await runAlone("fault tests", "faults", env);
