/** `npm run test:faults -- [--histories N] [--seed S]`: the fault tests alone, as long as wished. */
import { parseArgs } from "node:util";
import { ensureBuild } from "./production-build.ts";
import { Tally } from "./test-tally.ts";
import { runFaultTests } from "./vitest-run.ts";

const env: NodeJS.ProcessEnv = {};
try {
  const { values } = parseArgs({
    options: { histories: { type: "string" }, seed: { type: "string" } },
  });
  for (const [name, value] of Object.entries(values)) {
    if (!/^\d+$/.test(value)) throw new Error(`--${name} must be a whole number.`);
    env[`FAULT_${name.toUpperCase()}`] = value;
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
if (!(await ensureBuild())) process.exit(1);
const tally = new Tally();
await tally.step("fault tests", () => runFaultTests(env));
process.exit(tally.close());
