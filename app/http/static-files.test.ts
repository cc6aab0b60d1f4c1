import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listening } from "#tests/support/listening.ts";
import { staticFiles } from "./respond.ts";

const folder = mkdtempSync(join(tmpdir(), "static-files-"));
let server: Server;
let origin: string;
beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "a.txt"), "plain");
  writeFileSync(join(folder, "a.txt.gz"), gzipSync("plain"));
  writeFileSync(join(folder, "gone.txt"), "gone");
  // More than the buffers of a connection take in.
  writeFileSync(join(folder, "assets/large.js"), Buffer.alloc(16 * 1024 * 1024, "x"));
  const serve = staticFiles(folder);
  server = createServer((request, response) => {
    serve(request, response, () => {
      response.statusCode = 404;
      response.end();
    });
  });
  origin = `http://127.0.0.1:${await listening(server)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { headers });

function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe("a file", () => {
  it("is sent in an encoding that the client takes", async () => {
    for (const [accepted, encoding] of [
      ["gzip;q=0", null],
      ["gzip; q=0.5", "gzip"],
      ["GZIP", "gzip"],
      ["x-gzip", null],
    ] as const) {
      const answer = await get("/a.txt", { "Accept-Encoding": accepted });
      expect(answer.headers.get("content-encoding"), accepted).toBe(encoding);
      expect(await answer.text()).toBe("plain");
    }
  });

  it("is sent whole, whatever part of it is asked for", async () => {
    for (const range of [
      "bytes=4-1",
      "bytes=0-0",
      "bytes=-2",
      "bytes=9-",
      "bytes=x-y",
      "bytes=1-,0-",
    ]) {
      const answer = await get("/a.txt", { Range: range });
      expect([answer.status, await answer.text()], range).toEqual([200, "plain"]);
    }
  });

  it("that has gone from the disk ends the connection, not the process", async () => {
    rmSync(join(folder, "gone.txt"));
    await expect(get("/gone.txt").then((answer) => answer.text())).rejects.toThrow();
    expect((await get("/a.txt")).status).toBe(200);
  });

  it("is closed when its reader goes away", async () => {
    const { port } = new URL(origin);
    for (let i = 0; i < 5; i++) {
      const socket = connect({ port: Number(port), host: "127.0.0.1" });
      socket.on("error", () => {});
      socket.pause();
      socket.write("GET /assets/large.js HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5));
      await expect.poll(openFiles).not.toEqual([]);
      socket.resetAndDestroy();
    }
    await expect.poll(openFiles).toEqual([]);
  });
});
