/**
 * Only the app, already built, with the environment as it is: migrates, then serves until SIGTERM or
 * SIGINT, and then ends with status 0 within 10 seconds. What the container runs.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { findNode24, isThisProcess, runWith } from "./process/node-runtime.mjs";
import { HEAP_GROWTH, smallMemory } from "./process/server-memory.mjs";

/** Milliseconds for requests in hand; ends before the 10 s after which supervisors kill. */
const DRAIN_LIMIT = 9_000;

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));
const built = join(root, "build", "server", "index.js");

const node = findNode24(root);
if (!existsSync(built)) {
  console.error("There is no build: `npm run build` makes it.");
  process.exit(1);
}
if (!node) {
  console.error(`The app needs Node 24; this is ${process.version}. \`npm ci\` installs it.`);
  process.exit(1);
}
const env = smallMemory(process.env);
const isSmall = env.NODE_OPTIONS === process.env.NODE_OPTIONS;
// The same process begins anew with it. Who started it with a channel has set its environment.
if (isThisProcess(node) && process.pid !== 1 && !isSmall && !process.send) {
  process.execve?.(node, [node, ...process.execArgv, script], env);
}
// The first process of a container cannot be killed from inside, which is how one that hangs ends.
if (isThisProcess(node) && process.pid !== 1) await serve();
else process.exit(await runWith(node, [script], env));

async function serve() {
  setFlagsFromString(HEAP_GROWTH);
  process.env.NODE_ENV ||= "production";
  let server = null;
  let ending = false;
  const end = async (signal) => {
    if (ending) return;
    ending = true;
    // Before it serves there is nothing to drain, and a migration cut short rolls back.
    if (!server) process.exit(0);
    setTimeout(() => {
      console.error(`Not everything had ended ${DRAIN_LIMIT / 1000} s after ${signal}.`);
      process.exit(0);
    }, DRAIN_LIMIT);
    try {
      await server.close();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  try {
    const { start } = await import(pathToFileURL(built).href);
    server = await start();
  } catch (error) {
    console.error(plainly(error));
    process.exit(1);
  }
  // A parent that started this process with a channel is told when it serves.
  process.send?.({ origin: server.origin, port: server.port });
}

/** One line per fault of the configuration, one for a port, and the stack only of what is a bug. */
function plainly(error) {
  if (Array.isArray(error?.faults)) return error.faults.join("\n");
  if (error?.syscall === "listen") {
    if (error.code === "EADDRINUSE") return `PORT ${error.port} is in use by another program.`;
    if (error.code === "EACCES") return `PORT ${error.port} is not allowed to this account.`;
    return `HOST ${error.address} cannot be listened on (${error.code}).`;
  }
  return error;
}
