/**
 * `npm run check`: format, lint, types and unused code, in seconds. `npm run format` writes the format,
 * the import order and the lint's safe fixes instead.
 */
import {
  BIOME,
  checkFormatAndLint,
  checkTypes,
  checkUnusedCode,
} from "#scripts/process/code-checks.ts";
import { Tally } from "#scripts/process/test-run.ts";
import { runNodeTool } from "#scripts/process/tool-run.ts";

if (process.argv.includes("--write")) {
  const { status } = await runNodeTool([BIOME, "check", "--write"], { echo: true });
  process.exit(status);
}
const tally = new Tally();
await tally.step("format and lint", checkFormatAndLint);
await tally.step("types", checkTypes);
await tally.step("unused code", checkUnusedCode);
process.exit(tally.close());
