/** Makes the production build and remembers of which sources. */
import { dropStamp, hashOfSources, isBuildFresh, writeStamp } from "./build-stamp.ts";
import { runNodeTool, type ToolResult, tail } from "./tool-run.ts";

export const ROUTER = "node_modules/@react-router/dev/bin.cjs";

/** `react-router build`, stamped with the sources' hash when it succeeds. */
export async function makeBuild(options: { echo?: boolean } = {}): Promise<ToolResult> {
  const root = process.cwd();
  dropStamp(root);
  const hash = hashOfSources(root);
  const result = await runNodeTool([ROUTER, "build"], {
    env: { ...process.env, NODE_ENV: "production" },
    echo: options.echo,
  });
  if (result.status === 0) writeStamp(root, hash);
  return result;
}

/** Builds if the sources changed since the last build; false, with the reason printed, if it fails. */
export async function ensureBuild(): Promise<boolean> {
  if (isBuildFresh(process.cwd())) return true;
  console.log("Building …");
  const started = performance.now();
  const { status, output } = await makeBuild();
  if (status === 0) {
    console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
    return true;
  }
  console.error(tail(output.replace(/^\s+at .*\n/gm, "")));
  console.error("The build failed; its last lines stand above.");
  return false;
}
