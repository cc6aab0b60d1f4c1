/** Whether the build still is the build of the present sources. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = "build/sources.sha256";

/** Everything that `react-router build` reads. */
const SOURCES = [
  "app",
  "db",
  "public",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

export function isBuildFresh(root: string): boolean {
  const stamp = join(root, STAMP);
  return (
    existsSync(join(root, "build/server/index.js")) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === hashOfSources(root)
  );
}

/** Before a build: one that is cut short leaves no stamp behind. */
export function dropStamp(root: string): void {
  rmSync(join(root, STAMP), { force: true });
}

/** `hash` is that of the sources before the build read them. */
export function writeStamp(root: string, hash: string): void {
  writeFileSync(join(root, STAMP), hash);
}

export function hashOfSources(root: string): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of filesUnder(root, source)) {
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

function filesUnder(root: string, source: string): string[] {
  const path = join(root, source);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [source] : [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
