/** Protection from hostile calendar servers, which run on loopback here, as for a loopback site. */
import dns from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { createServer as createSocketServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, expect, it, vi } from "vitest";
import { listening } from "#tests/support/listening.ts";
import { fetchCalendar } from "./calendar-fetch.server.ts";

const MIB = 2 ** 20;
const NEVER = new AbortController().signal;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listening(server)}/`;
}

function read(address: string, etag: string | null = null, isLoopbackSite = true) {
  return fetchCalendar({ url: new URL(address), etag, isLoopbackSite, signal: NEVER });
}

/** The text, or why there is none. */
async function result(address: string, isLoopbackSite = true): Promise<string> {
  try {
    const answer = await read(address, null, isLoopbackSite);
    return Buffer.from(answer!.bytes).toString();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const answering =
  (
    status: number,
    headers: Record<string, string> = {},
    body: string | Buffer = "",
  ): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

it("reads a text with its ETag, and notices that it has not changed", async () => {
  const asked: (string | undefined)[] = [];
  const address = await serve(({ headers }, response) => {
    asked.push(headers["if-none-match"], headers["accept-encoding"]?.toString());
    if (headers["if-none-match"]) response.writeHead(304).end();
    else response.writeHead(200, { ETag: '"a"' }).end("text");
  });
  expect(await read(address)).toEqual({ bytes: new Uint8Array(Buffer.from("text")), etag: '"a"' });
  expect(await read(address, '"a"')).toBeNull();
  expect(asked).toEqual([undefined, "identity", '"a"', "identity"]);
});

it("tells its ETag to its own server, and to none that it is led to", async () => {
  const asked: (string | undefined)[] = [];
  const other = await serve(({ headers }, response) => {
    asked.push(headers["if-none-match"]);
    response.writeHead(200).end("text");
  });
  const own = await serve(({ headers }, response) => {
    asked.push(headers["if-none-match"]);
    response.writeHead(302, { Location: other }).end();
  });
  expect(Buffer.from((await read(own, '"a"'))!.bytes).toString()).toBe("text");
  expect(asked).toEqual(['"a"', undefined]);
});

it("goes nowhere inside, by address, by name or by a redirect", async () => {
  const address = await serve(answering(200, {}, "inside"));
  expect(await result(address, false)).toBe("inside");
  expect(await result(address.replace("127.0.0.1", "localhost"), false)).toBe("inside");
  expect(await result("https://[::ffff:127.0.0.1]/", false)).toBe("inside");
  // A site on this machine may ask this machine, and nothing else inside.
  for (const target of ["http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd"]) {
    expect(await result(await serve(answering(302, { Location: target })))).toBe("inside");
  }
});

it("goes to no name with even one inside address, wherever in the list it stands", async () => {
  const address = (await serve(answering(200, {}, "found"))).replace("127.0.0.1", "two.example");
  const lookup = vi.spyOn(dns, "lookup");
  try {
    const naming = async (...addresses: string[]) => {
      const all = addresses.map((one) => ({ address: one, family: 4 }));
      lookup.mockResolvedValue(all as never);
      syncBuiltinESMExports();
      return result(address);
    };
    expect(await naming("127.0.0.1", "127.0.0.1")).toBe("found");
    expect(await naming("127.0.0.1", "169.254.169.254")).toBe("inside");
    expect(await naming("10.0.0.1", "127.0.0.1")).toBe("inside");
    expect(await naming()).toBe("inside");
  } finally {
    lookup.mockRestore();
    syncBuiltinESMExports();
  }
});

it("follows two redirects, and gives a sign-in to its own place alone", async () => {
  const seen: (string | undefined)[] = [];
  const other = await serve(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end("found");
  });
  const second = await serve(answering(307, { Location: other.replace("//", "//u:p@") }));
  const first = await serve(({ headers, url }, response) => {
    seen.push(headers.authorization);
    response.writeHead(301, { Location: url === "/" ? "/again" : second }).end();
  });
  expect(await result(`${first.replace("//", "//me:secret@")}again`)).toBe("found");
  const basic = `Basic ${btoa("me:secret")}`;
  expect(seen).toEqual([basic, undefined]);
  expect(await result(first.replace("//", "//me:secret@"))).toBe("redirects");
  expect(seen.slice(2)).toEqual([basic, basic]);
});

it.each([
  ["refused", 401],
  ["refused", 403],
  ["gone", 404],
  ["gone", 410],
  ["answer", 500],
  ["answer", 304],
  ["answer", 302],
])("says %s for status %i", async (code, status) => {
  expect(await result(await serve(answering(status)))).toBe(code);
});

it("reads 2 MiB and no more, whatever length is claimed", async () => {
  const most = Buffer.alloc(2 * MIB, "x");
  expect(await result(await serve(answering(200, {}, most)))).toHaveLength(2 * MIB);
  const more = Buffer.alloc(2 * MIB + 1, "x");
  expect(await result(await serve(answering(200, {}, more)))).toBe("too_large");
  let sent = 0;
  const endless = await serve((_, response) => {
    const push = () => {
      while (response.write(most.subarray(0, 65_536)) && !response.destroyed) sent += 65_536;
    };
    response.on("drain", push);
    push();
  });
  expect(await result(endless)).toBe("too_large");
  await wait(100);
  expect(sent).toBeLessThan(32 * MIB);
  // Less than claimed is cut off, not a calendar; of more only what was claimed is read.
  expect(await result(await serve(answering(200, { "Content-Length": "9" }, "text")))).toBe(
    "unreachable",
  );
  expect(await result(await serve(answering(200, { "Content-Length": "2" }, "text")))).toBe("te");
  let isClosed = false;
  const large = await serve((_, response) => {
    response.writeHead(200, { "Content-Length": "9999999" }).write("text");
    response.on("close", () => {
      isClosed = true;
    });
  });
  expect(await result(large)).toBe("too_large");
  await vi.waitFor(() => expect(isClosed).toBe(true));
});

it("unpacks nothing", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB));
  expect(await result(await serve(answering(200, { "Content-Encoding": "gzip" }, bomb)))).toBe(
    "packed",
  );
});

it("gives up after 10 seconds of drops, of silence, and of redirects together", async () => {
  const drip = await serve((_, response) => {
    const timer = setInterval(() => response.write("x"), 100);
    response.on("close", () => clearInterval(timer));
  });
  const silent = await serve(() => {});
  const late = await serve(async (_, response) => {
    await wait(300);
    response.writeHead(302, { Location: late }).end();
  });
  // Half a second stands for them.
  const { timeout } = AbortSignal;
  const limits = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
  const all = await Promise.all([drip, silent, late].map((address) => result(address)));
  expect(all).toEqual(["slow", "slow", "slow"]);
  expect(limits.mock.calls).toEqual([[10_000], [10_000], [10_000]]);
  limits.mockRestore();
});

it("says that it cannot be reached where nobody answers, or not properly", async () => {
  const raw = async (answer: string) => {
    const address = await serve(() => {});
    servers.at(-1)!.on("connection", (socket) => socket.end(answer));
    return result(address);
  };
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
  expect(await raw(upgrade)).toBe("unreachable");
  expect(await raw(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`)).toBe("unreachable");
  expect(await raw("")).toBe("unreachable");
  expect(await result("http://127.0.0.1:1/")).toBe("unreachable");
  expect(await result("http://nobody.invalid/")).toBe("unreachable");
});

it("speaks TLS with an https address, and sends nothing that could be read on the way", async () => {
  const heard = Promise.withResolvers<Buffer>();
  const server = createSocketServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", (bytes) => {
        heard.resolve(bytes);
        socket.destroy();
      });
  });
  const port = await listening(server);
  try {
    expect(await result(`https://user:secret@127.0.0.1:${port}/x.ics`)).toBe("unreachable");
    heard.resolve(Buffer.of());
    const bytes = await heard.promise;
    // The first byte of a TLS handshake.
    expect(bytes[0]).toBe(0x16);
    expect(bytes.toString("latin1")).not.toContain("x.ics");
  } finally {
    server.close();
  }
});
