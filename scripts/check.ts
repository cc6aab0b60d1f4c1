/**
 * `npm run check`: format, lint, types and unused code, in seconds. `npm run format` writes the format,
 * the import order and the lint's safe fixes instead.
 */
import { BIOME } from "#scripts/process/test-run.ts";
import { runNodeTool } from "#scripts/process/tool-run.mjs";

if (process.argv.includes("--write")) {
  process.exit((await runNodeTool([BIOME, "check", "--write"], { echo: true })).status);
}
process.argv.push("lint", "types", "unused");
await import("./test.ts");
