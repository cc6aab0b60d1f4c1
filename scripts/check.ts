/** `npm run check`: format, lint, types and unused code, in seconds. */
import { checkFormatAndLint, checkTypes, checkUnusedCode } from "#scripts/process/code-checks.ts";
import { Tally } from "#scripts/process/test-tally.ts";

const tally = new Tally();
await tally.step("format and lint", checkFormatAndLint);
await tally.step("types", checkTypes);
await tally.step("unused code", checkUnusedCode);
process.exit(tally.close());
