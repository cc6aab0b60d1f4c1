/** Makes the production build, and knows whether the sources have changed since. */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { runNodeTool, type ToolResult, tail } from "./tool-run.mjs";

export const ROUTER = "node_modules/@react-router/dev/bin.cjs";
const STAMP = "build/sources.sha256";

/** Everything that `react-router build` reads. */
const SOURCES = [
  "{app,db,public}/**",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

/** `react-router build`, stamped with the sources' hash when it succeeds. */
export async function makeBuild(options: { echo?: boolean } = {}): Promise<ToolResult> {
  // A build that is cut short leaves no stamp; sources that change meanwhile do not match it.
  rmSync(STAMP, { force: true });
  const hash = hashOfSources();
  const result = await runNodeTool([ROUTER, "build"], {
    env: { ...process.env, NODE_ENV: "production" },
    echo: options.echo,
  });
  if (result.status === 0) writeFileSync(STAMP, hash);
  return result;
}

/** Builds if the sources changed since the last build; false, with the reason printed, if it fails. */
export async function ensureBuild(): Promise<boolean> {
  if (isBuildFresh()) return true;
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

export function isBuildFresh(): boolean {
  if (!existsSync("build/server/index.js") || !existsSync(STAMP)) return false;
  return readFileSync(STAMP, "utf8") === hashOfSources();
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const file of globSync(SOURCES).sort()) {
    if (/\.test\.tsx?$/.test(file) || !statSync(file).isFile()) continue;
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
