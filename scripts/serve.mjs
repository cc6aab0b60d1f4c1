/**
 * Only the app, already built, with the environment as it is: migrates, then serves until SIGTERM or
 * SIGINT, and then ends with status 0 within 10 seconds. What the container runs.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { findNode24, HEAP_GROWTH, runWith, smallMemory } from "./process/node-runtime.mjs";

/** Milliseconds in which open requests may end: less than the 10 s after which supervisors kill. */
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
const isThisNode = node === process.execPath;
const env = smallMemory(process.env);
const isSmall = env.NODE_OPTIONS === process.env.NODE_OPTIONS;
// Starts again in the same process with that environment, unless a parent with a channel has set it.
if (isThisNode && process.pid !== 1 && !isSmall && !process.send) {
  process.execve?.(node, [node, ...process.execArgv, script], env);
}
// The first process of a container cannot be killed from inside, so the server runs as its child.
if (isThisNode && process.pid !== 1) await serve();
else process.exit(await runWith(node, [script], env));

async function serve() {
  setFlagsFromString(HEAP_GROWTH);
  process.env.NODE_ENV = process.env.NODE_ENV?.trim() || "production";
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
    console.error(messageFor(error));
    process.exit(1);
  }
  // Tells a parent that started this process with a channel.
  process.send?.({ origin: server.origin, port: server.port });
}

/** One line per fault of the configuration, one for a port; only a bug is shown with its stack. */
function messageFor(error) {
  if (Array.isArray(error?.faults)) return error.faults.join("\n");
  if (error?.syscall === "listen") {
    if (error.code === "EADDRINUSE") return `PORT ${error.port} is in use by another program.`;
    if (error.code === "EACCES") return `PORT ${error.port} is not allowed to this account.`;
    return `HOST ${error.address} cannot be listened on (${error.code}).`;
  }
  if (error?.syscall === "getaddrinfo") {
    return `HOST ${error.hostname} cannot be listened on (${error.code}).`;
  }
  return error;
}
