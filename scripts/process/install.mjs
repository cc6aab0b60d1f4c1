/** Installs from the lock file when what is installed does not agree with it. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findNode24 } from "./node-runtime.mjs";
import { runTool, tail } from "./tool-run.mjs";

const FLAGS = [
  // Also with NODE_ENV=production: Node 24 itself is a development package.
  "--include=dev",
  "--no-audit",
  "--no-fund",
  // Engine warnings speak of the system's Node; everything runs on the pinned one.
  "--loglevel=error",
  "--fetch-retries=2",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=4000",
];

/**
 * Leaves the process running only if everything is there. `productionIsEnough`: a production-only
 * install (no development dependencies) on a new enough Node is taken as it is.
 */
export async function ensureInstalled(root, { productionIsEnough = false } = {}) {
  const enough = productionIsEnough ? ["complete", "production"] : ["complete"];
  if (findNode24(root) !== null && enough.includes(installedState(root))) return;
  await install(root);
  if (findNode24(root) !== null && installedState(root) === "complete") return;
  console.error(
    "The packages are installed, but something is missing from node_modules. If npm is told to " +
      "ignore scripts or to leave out development packages, lift that and try again.",
  );
  process.exit(1);
}

/** Compares the lock file with what npm recorded; `production`: only development packages are missing. */
function installedState(root) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const present = readPackages(join(root, "node_modules", ".package-lock.json"));
  // The container has its packages and no lock file.
  if (!wanted) return existsSync(join(root, "node_modules")) ? "production" : "missing";
  if (!present) return "missing";
  let state = "complete";
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || entry.link) continue;
    const here = present[path];
    const isSame = here?.version === entry.version && here?.integrity === entry.integrity;
    if (isSame && existsSync(join(root, path))) continue;
    // npm leaves out the optional packages of other platforms.
    if (!here && entry.optional) continue;
    if (here || !(entry.dev || entry.devOptional)) return "missing";
    state = "production";
  }
  return state;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}

async function install(root) {
  console.log("Installing the packages of package-lock.json …");
  const started = Date.now();
  let { status, output } = await npm(root, "ci");
  if (status !== 0 && output.includes("EUSAGE")) {
    console.log("  npm ci refuses package-lock.json; installing what it names all the same …");
    ({ status, output } = await npm(root, "install", "--no-save"));
  }
  if (status === 0) {
    console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
    return;
  }
  console.error(tail(output));
  console.error(`npm failed; its last lines stand above. Is there a network? Nothing was started.`);
  process.exit(1);
}

/** An install that a signal cut short is made again the next time. */
function npm(root, ...words) {
  // npm must not run on the Node that it is about to replace.
  const ownTools = join(root, "node_modules", ".bin");
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== ownTools);
  const env = { ...process.env, PATH: path.join(delimiter) };
  return runTool("npm", [...words, ...FLAGS], { env });
}
