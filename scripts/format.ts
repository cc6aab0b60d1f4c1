/** `npm run format`: writes the format, the import order and the lint's safe fixes. */
import { BIOME } from "#scripts/process/code-checks.ts";
import { runNodeTool } from "#scripts/process/tool-run.ts";

const { status } = await runNodeTool([BIOME, "check", "--write"], { echo: true });
process.exit(status);
