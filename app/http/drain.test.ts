import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { listening } from "#tests/support/listening.ts";
import { drainable } from "./drain.ts";

const BYTES = 20_000_000;
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const open: { server: Server; sockets: Socket[] }[] = [];
afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** A server, its drain, and clients that keep what they read. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const drain = drainable(server);
  const port = await listening(server);
  const sockets: Socket[] = [];
  open.push({ server, sockets });
  const client = (bytes: string) => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    const read = { socket, text: "", error: null as NodeJS.ErrnoException | null };
    socket.on("data", (chunk) => {
      read.text += chunk.toString("latin1");
    });
    socket.on("error", (error) => {
      read.error = error;
    });
    if (bytes) socket.write(bytes);
    return read;
  };
  return { server, drain, client, port };
}

/** What a new connection fails with; null where it is taken. */
async function refusal(port: number): Promise<string | null> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  } finally {
    socket.destroy();
  }
}

it("announces its end on a connection that waits for an answer, and closes the others", async () => {
  const { server, drain, client } = await serve((request, response) => {
    setTimeout(() => response.end("done"), request.url === "/" ? 200 : 0);
  });
  const idle = client(REQUEST.replace("/", "/quick"));
  const again = client(REQUEST.replace("/", "/quick"));
  await expect.poll(() => idle.text).toContain("done");
  await expect.poll(() => again.text).toContain("done");
  expect(idle.text).toContain("Connection: keep-alive");
  const busy = client(REQUEST);
  await once(server, "request");
  const drained = drain();
  again.text = "";
  again.socket.write(REQUEST.replace("/", "/quick"));
  const sockets = [idle, again, busy].map(({ socket }) => once(socket, "close"));
  await Promise.all([drained, ...sockets]);
  expect(again.text).toContain("Connection: close");
  expect(idle.text).not.toContain("Connection: close");
  expect(busy.text).toContain("Connection: close");
  expect(busy.text).toContain("done");
});

it("sends a whole answer to a client that reads slowly", async () => {
  const { server, drain, client } = await serve((_, response) => {
    response.end(Buffer.alloc(BYTES, "a"));
  });
  const slow = client(REQUEST);
  slow.socket.pause();
  await once(server, "request");
  const drained = drain();
  await sleep(300);
  slow.socket.resume();
  await Promise.all([drained, once(slow.socket, "close")]);
  expect(slow.error).toBeNull();
  expect(slow.text.length).toBeGreaterThan(BYTES);
});

it("answers a connection that the system had accepted and the server had not", async () => {
  const { drain, client } = await serve((_, response) => response.end("done"));
  const waiting = Array.from({ length: 5 }, () => client(REQUEST));
  // It begins to connect in the next tick; the server accepts in the next turn.
  await new Promise((resolve) => process.nextTick(resolve));
  const closed = waiting.map(({ socket }) => once(socket, "close"));
  await Promise.all([drain(), ...closed]);
  for (const { text, error } of waiting) {
    expect(error).toBeNull();
    expect(text).toContain("done");
    expect(text).toContain("Connection: close");
  }
});

it("waits a moment for what a new connection sends, and no longer", async () => {
  const { server, drain, client, port } = await serve((_, response) => response.end("done"));
  const early = client("");
  const silent = client("");
  while (await new Promise((resolve) => server.getConnections((_, n) => resolve(n < 2)))) {
    await sleep(5);
  }
  const asked = performance.now();
  const drained = drain();
  early.socket.write(REQUEST);
  await expect.poll(() => refusal(port), { interval: 20 }).toBe("ECONNREFUSED");
  await Promise.all([drained, once(silent.socket, "close")]);
  expect(performance.now() - asked).toBeLessThan(5_000);
  await expect.poll(() => early.text).toContain("done");
  expect(silent.error).toBeNull();
});
