/**
 * Shuts a server down without losing a request. Node's own `close` cuts off responses that are still
 * being read, warns no client that its connection ends, and resets connections not yet accepted.
 */
import type { Server, ServerResponse } from "node:http";
import { Server as Listener, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** In which responses still warn busy clients that their connection ends. */
const LAST_WORDS_MS = 100;
/** A turn of the event loop that did nothing takes less. */
const QUIET_TURN_MS = 0.05;
/** After which any turn without a new connection counts as quiet. */
const QUIET_WITHIN_MS = 500;
/** After which the listener is closed in any case. */
const TAKE_UP_MS = 4_000;
/** After which connections are closed that a browser opened ahead and has not used. */
const SILENT_MS = 150;
/** After which the remaining connections are cut. */
const DRAIN_MS = 7_000;

/** What a connection does; a response is the one it waits for. */
type Doing = "new" | "idle" | ServerResponse;

/** Watches the server's connections; the returned function closes the listener and ends them all. */
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
      // The connection may already carry another request.
      if (connections.get(socket) !== response) return;
      connections.set(socket, "idle");
      if (ending) socket.destroySoon();
    });
  });

  function end(which: (doing: Doing, socket: Socket) => boolean): void {
    for (const [socket, doing] of connections) if (which(doing, socket)) socket.destroySoon();
  }

  /**
   * The system accepts connections by itself, and closing the listener resets those that the event
   * loop has not seen. So it is closed right after the loop has looked.
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
      // The close of `net.Server`: that of `http.Server` destroys connections with unsent bytes.
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
