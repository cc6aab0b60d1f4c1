/** Free TCP ports on loopback. */
import { once } from "node:events";
import { createServer } from "node:net";

/** A port that was free a moment ago. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

export async function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
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
  for (let port = from; port < from + 100 && port < 65536; port++) {
    if (await isFree(port, host)) return port;
  }
  return freePort(host);
}
