/**
 * The end of a server that loses no request. Node's own `close` cuts off answers that are still being
 * read, tells no client that its connection ends, and resets those that wait to be taken up.
 */
import type { Server, ServerResponse } from "node:http";
import { Server as Listener, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds in which whoever is busy with us hears from an answer that the connection ends. */
const LAST_WORDS_MS = 100;
/** A turn of the loop that did nothing takes less; milliseconds. */
const QUIET_TURN_MS = 0.05;
/** For so long such a turn is waited for; later one that brought no connection is enough, and then any. */
const QUIET_WITHIN_MS = 500;
const TAKE_UP_MS = 4_000;
/** A browser opens connections ahead: one that has sent nothing is closed after so long. */
const SILENT_MS = 150;
/** What is still open so long after the stop was asked for is cut. */
const DRAIN_MS = 7_000;

/** What a connection does: an answer is the one it waits for. */
type Doing = "new" | "idle" | ServerResponse;

/** Watches the server's connections; what it answers takes no more of them and ends those there are. */
export function drainable(server: Server): () => Promise<void> {
  const connections = new Map<Socket, Doing>();
  let taken = 0;
  let ending = false;

  server.on("connection", (socket) => {
    taken += 1;
    connections.set(socket, "new");
    socket.once("close", () => connections.delete(socket));
  });

  server.prependListener("request", ({ socket }, response) => {
    connections.set(socket, response);
    if (ending) response.setHeader("Connection", "close");
    response.once("close", () => {
      // Another request of the same connection may be under way already.
      if (connections.get(socket) !== response) return;
      connections.set(socket, "idle");
      if (ending) socket.destroySoon();
    });
  });

  function end(which: (doing: Doing, socket: Socket) => boolean): void {
    for (const [socket, doing] of connections) if (which(doing, socket)) socket.destroySoon();
  }

  /**
   * What comes between the loop's last look and the close is lost: the system has taken it in our name
   * and resets it. So the look is followed at once by the close.
   */
  function closeInQuietTurn(closed: () => void, since = performance.now()): void {
    const before = taken;
    const began = performance.now();
    setImmediate(() => {
      const now = performance.now();
      const waited = now - since;
      const isQuiet = now - began < QUIET_TURN_MS || waited > QUIET_WITHIN_MS;
      if ((taken > before || !isQuiet) && waited < TAKE_UP_MS) {
        return closeInQuietTurn(closed, since);
      }
      // Of the listener alone: the one of HTTP destroys connections with unsent bytes.
      Listener.prototype.close.call(server, closed);
      end((doing) => doing === "idle");
    });
  }

  return async () => {
    ending = true;
    for (const doing of connections.values()) {
      if (typeof doing === "object" && !doing.headersSent) doing.setHeader("Connection", "close");
    }
    const timers = [setTimeout(() => server.closeAllConnections(), DRAIN_MS)];
    if (connections.size > 0) await sleep(LAST_WORDS_MS);
    await new Promise<void>((closed) => {
      closeInQuietTurn(closed);
      const endSilent = () => end((doing, { bytesRead }) => doing === "new" && bytesRead === 0);
      timers.push(setTimeout(endSilent, SILENT_MS));
    });
    for (const timer of timers) clearTimeout(timer);
  };
}
