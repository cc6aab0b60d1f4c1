/** Free TCP ports on loopback. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ranges from which operating systems choose ports. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/**
 * A port that was free a moment ago. The system gives none of these to a program that asks for any
 * port, so only another call of this function could take it, and that one chooses at random too.
 */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, host)) return port;
  }
}

export async function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** The first free port from `from` on. */
export async function nextFreePort(from: number, host = "127.0.0.1"): Promise<number> {
  return (await isFree(from, host)) ? from : nextFreePort(from + 1, host);
}
