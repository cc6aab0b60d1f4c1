/** The Node 24 that everything runs on, found from an older system Node if need be, and its memory. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const NEEDED = 24;

/** Path of a Node of at least version 24; null if there is none. */
export function findNode24(root) {
  // The npm package `node`, which a production install leaves out.
  const pinned = join(root, "node_modules", "node", "bin", "node");
  if (existsSync(pinned)) {
    if (realpathSync(pinned) === realpathSync(process.execPath)) return process.execPath;
    const { status, stdout } = spawnSync(pinned, ["--version"], { encoding: "utf8" });
    if (status === 0 && major(stdout) >= NEEDED) return pinned;
  }
  return major(process.version) >= NEEDED ? process.execPath : null;
}

function major(version) {
  return Number(version.replace(/^v/, "").split(".")[0]);
}

/** Runs `node args` in the foreground, passes signals on, and returns its exit status. */
export function runWith(node, args, env = process.env) {
  const child = spawn(node, args, { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`${node} could not be run: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** MB; what each limit costs and saves stands in docs/performance.md. */
const FLAGS = "--max-semi-space-size=8 --max-old-space-size=192";

/** For `setFlagsFromString` before the app is loaded, since NODE_OPTIONS does not take it. */
export const HEAP_GROWTH = "--heap-growing-percent=50";

/**
 * Threads share two memory arenas. What is larger than 32 kB (a page, a document) goes back to the
 * system when it is done; glibc would raise that to 32 MB by itself.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** The environment of a server that holds little memory; what `env` sets already stays. */
export function smallMemory(env) {
  const options = env.NODE_OPTIONS ?? "";
  const flags = options.startsWith(FLAGS) ? options : `${FLAGS} ${options}`.trim();
  return { ...MALLOC, ...env, NODE_OPTIONS: flags };
}
