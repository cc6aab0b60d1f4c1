/**
 * The one way into every command: `node scripts/run.mjs <command> [args]` installs what is missing,
 * finds Node 24 and runs `scripts/<command>.ts` with it. Plain JavaScript without dependencies,
 * because it runs on the system's Node (20 or newer) before anything is installed.
 */

const OLDEST_NODE = 20;

/** Commands of the production-only container: what is installed there must do. */
const RUNTIME_COMMANDS = new Set(["backup", "restore", "admin-create", "doctor"]);

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  console.error(
    `This needs Node ${OLDEST_NODE} or newer; ${process.execPath} is ${process.version}.`,
  );
  process.exit(1);
}

const { dirname, join } = await import("node:path");
const { existsSync } = await import("node:fs");
const { fileURLToPath, pathToFileURL } = await import("node:url");

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);
const [command = "", ...args] = process.argv.slice(2);
const script = join(scripts, `${command}.ts`);
if (!/^[a-z-]+$/.test(command) || !existsSync(script)) {
  console.error(`There is no command ${JSON.stringify(command)}.`);
  process.exit(1);
}
process.chdir(root);

const { ensureInstalled } = await import("./process/install.mjs");
const { findNode24, runWith } = await import("./process/node-runtime.mjs");

await ensureInstalled(root, { productionIsEnough: RUNTIME_COMMANDS.has(command) });
const node = findNode24(root);
if (!node) {
  console.error("Node 24 is missing: neither the npm package `node` nor the system provides it.");
  process.exit(1);
}
if (node === process.execPath) {
  process.argv = [process.execPath, script, ...args];
  await import(pathToFileURL(script).href);
} else {
  process.exit(await runWith(node, [script, ...args]));
}
