/** `npm run soak -- [--minutes N]`: mixed load on a small machine, 30 minutes unless said. */
import { runAlone, wholeNumbers } from "#scripts/process/test-run.ts";

const { minutes = "30" } = wholeNumbers(["minutes"]);
const env = { SOAK_SECONDS: String(Number(minutes) * 60) };
const file = "tests/load/mixed-load.test.ts";
await runAlone(`${minutes} minutes of mixed load`, "long", env, file);
