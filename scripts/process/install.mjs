/** Installs from the lock file when what is installed does not agree with it. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { findNode24 } from "./node-runtime.mjs";

const HEARTBEAT_SECONDS = 10;
const NETWORK_TROUBLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/i;

/**
 * Leaves the process running only if everything is there. `productionIsEnough`: a production-only
 * install (no development dependencies) on a new enough Node is taken as it is.
 */
export async function ensureInstalled(root, { productionIsEnough = false } = {}) {
  const state = installedState(root);
  const node = findNode24(root) !== null;
  if (node && (state === "complete" || (state === "production" && productionIsEnough))) return;
  await install(root);
  if (installedState(root) === "complete" && findNode24(root) !== null) return;
  console.error(
    "The packages are installed, but something is missing from node_modules. If npm is told to " +
      "ignore scripts or to leave out development packages, lift that and try again.",
  );
  process.exit(1);
}

/** Compares the lock file with what npm recorded in node_modules. */
function installedState(root) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const present = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!present) return existsSync(join(root, "node_modules")) && !wanted ? "production" : "missing";
  if (!wanted) return "production";
  let state = "complete";
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || entry.link) continue;
    const here = present[path];
    const same =
      here?.version === entry.version &&
      here?.integrity === entry.integrity &&
      existsSync(join(root, path));
    // Optional packages are those of other platforms: npm leaves them out.
    if (same || (!here && entry.optional)) continue;
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
  const wanted = readPackages(join(root, "package-lock.json"));
  const count = Object.keys(wanted ?? {}).length - 1;
  console.log(`Installing up to ${count} packages from package-lock.json …`);
  const started = Date.now();
  const heartbeat = setInterval(() => {
    console.log(`  … still installing, ${Math.round((Date.now() - started) / 1000)} s`);
  }, HEARTBEAT_SECONDS * 1000);
  let { code, output } = await npm(root, ["ci"]);
  if (code !== 0 && output.includes("EUSAGE")) {
    console.log("  npm ci refuses package-lock.json; installing what it names all the same …");
    ({ code, output } = await npm(root, ["install", "--no-save"]));
  }
  clearInterval(heartbeat);
  if (code === 0) {
    console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
    return;
  }
  console.error(output.trimEnd().split("\n").slice(-25).join("\n"));
  console.error(
    NETWORK_TROUBLE.test(output)
      ? "The packages could not be downloaded: is there a network? Nothing was started."
      : `npm failed with status ${code}; its last lines stand above. Nothing was started.`,
  );
  process.exit(1);
}

function npm(root, words) {
  const [program, ...before] = npmCommand();
  const flags = [
    ...words,
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
  const child = spawn(program, [...before, ...flags], {
    cwd: root,
    env: { ...process.env, PATH: pathWithout(join(root, "node_modules", ".bin")) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const take = (chunk) => {
    output += chunk;
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  let stopped = null;
  const stop = (signal) => {
    stopped = signal;
    child.kill("SIGTERM");
    // npm can take long to tidy up; what it leaves behind is installed anew the next time.
    setTimeout(() => child.kill("SIGKILL"), 3000).unref();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: `npm: ${error.message}` }));
    child.on("close", (code) => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      if (stopped) {
        console.error("Stopped while installing.");
        process.exit(stopped === "SIGINT" ? 130 : 143);
      }
      resolve({ code: code ?? 1, output });
    });
  });
}

/** The npm that runs this command, with the Node it runs on; else the one on the PATH. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const usable = script && node && basename(script) === "npm-cli.js" && existsSync(node);
  return usable && !realpathSync(node).includes("node_modules") ? [node, script] : ["npm"];
}

/** npm must not run on a Node that it is about to replace. */
function pathWithout(folder) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((entry) => entry !== folder)
    .join(delimiter);
}
