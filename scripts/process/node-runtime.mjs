/** Finds the Node 24 that everything runs on, from an older system Node if need be. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const NEEDED = 24;

function major(version) {
  return Number(version.replace(/^v/, "").split(".")[0]);
}

/** The executable of the npm package `node`, which a production install leaves out. */
function pinnedNode(root) {
  return join(root, "node_modules", "node", "bin", "node");
}

/** Path of a Node of at least version 24, the pinned one first; null if there is none. */
export function findNode24(root) {
  const pinned = pinnedNode(root);
  if (existsSync(pinned)) {
    if (realpathSync(pinned) === realpathSync(process.execPath)) return process.execPath;
    const asked = spawnSync(pinned, ["--version"], { encoding: "utf8" });
    if (asked.status === 0 && major(asked.stdout) >= NEEDED) return pinned;
  }
  return major(process.version) >= NEEDED ? process.execPath : null;
}

export function isThisProcess(node) {
  return node === process.execPath;
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
