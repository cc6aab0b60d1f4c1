/** The fast checks of the code itself; each counts as one test and prints only when it fails. */
import { ROUTER } from "./production-build.ts";
import { type Counts, ONE_FAILED, ONE_PASSED } from "./test-run.ts";
import { runNodeTool, type ToolResult } from "./tool-run.mjs";

export const BIOME = "node_modules/@biomejs/biome/bin/biome";
export const TSC = "node_modules/typescript/bin/tsc";
const KNIP = "node_modules/knip/bin/knip.js";

export const CODE_CHECKS = {
  lint() {
    const colors = process.stdout.isTTY ? "force" : "off";
    return passes(runNodeTool([BIOME, "ci", "--error-on-warnings", `--colors=${colors}`]));
  },
  async types() {
    const typegen = await runNodeTool([ROUTER, "typegen"]);
    return passes(typegen.status === 0 ? runNodeTool([TSC]) : Promise.resolve(typegen));
  },
  unused: () => passes(runNodeTool([KNIP, "--no-progress"])),
};

export async function passes(tool: Promise<ToolResult>): Promise<Counts> {
  const { status, output } = await tool;
  if (status === 0) return ONE_PASSED;
  console.log(output.trimEnd());
  return ONE_FAILED;
}
