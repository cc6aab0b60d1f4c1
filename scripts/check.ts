/**
 * `npm run check`: format, lint, types and unused code, in seconds. `npm run format` writes the format,
 * the import order and the lint's safe fixes instead.
 */
import { BIOME, CODE_CHECKS, Tally } from "#scripts/process/test-run.ts";
import { runNodeTool } from "#scripts/process/tool-run.mjs";

if (process.argv.includes("--write")) {
  const { status } = await runNodeTool([BIOME, "check", "--write"], { echo: true });
  process.exit(status);
}
const tally = new Tally();
for (const [name, check] of Object.entries(CODE_CHECKS)) await tally.step(name, check);
process.exit(tally.close());
