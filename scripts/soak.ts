/** `npm run soak -- [--minutes N]`: mixed load on a small machine, 30 minutes unless said. */
import { ensureBuild } from "#scripts/process/production-build.ts";
import { Tally } from "#scripts/process/test-tally.ts";
import { runVitest } from "#scripts/process/vitest-run.ts";
import { wholeNumbers } from "#scripts/process/whole-numbers.ts";

const { minutes = "30" } = wholeNumbers(["minutes"]);
if (!(await ensureBuild())) process.exit(1);
const tally = new Tally();
const env = { SOAK_SECONDS: String(Number(minutes) * 60) };
await tally.step(`${minutes} minutes of mixed load`, () =>
  runVitest(["long"], env, ["tests/load/mixed-load.test.ts"]),
);
process.exit(tally.close());
