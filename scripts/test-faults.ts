/** `npm run test:faults -- [--histories N] [--seed S]`: the fault tests alone, as long as you ask. */
import { runAlone, wholeNumbers } from "#scripts/process/test-run.ts";

const { histories, seed } = wholeNumbers(["histories", "seed"]);
await runAlone("fault tests", "faults", {
  ...(histories && { FAULT_HISTORIES: histories }),
  ...(seed && { FAULT_SEED: seed }),
});
