/**
 * `node scripts/container/collect.mjs FOLDER`: copies what the image holds, beside its packages:
 * the build, and the sources that `backup`, `restore`, `admin:create` and `doctor` run from.
 */
import { cpSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const CONTENT = [
  "package.json",
  "build",
  "app",
  "db",
  "scripts/run.mjs",
  "scripts/process/install.mjs",
  "scripts/process/node-runtime.mjs",
  "scripts/process/tool-run.mjs",
  "scripts/serve.mjs",
  "scripts/admin-create.ts",
  "scripts/backup.ts",
  "scripts/restore.ts",
  "scripts/doctor.ts",
  "scripts/container/healthcheck.mjs",
];

/** Tests, and pages and styles, which are in the build. */
const LEFT_OUT = /\.(test\.tsx?|tsx|css|woff2)$/;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const [target] = process.argv.slice(2);
if (!target) {
  console.error("Where to? node scripts/container/collect.mjs FOLDER");
  process.exit(1);
}
for (const path of CONTENT) {
  const isBuild = path === "build";
  cpSync(join(root, path), join(resolve(target), path), {
    recursive: true,
    filter: (source) => isBuild || !LEFT_OUT.test(basename(source)),
  });
}
