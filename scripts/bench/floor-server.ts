/**
 * The floors as a process. `FLOOR` is a file with what to serve: fixed bytes from `node:http`; or
 * the bare React Router app of `floor-app/`, its calls through the adapter that React Router's own
 * server uses, its page through the product's listener.
 */
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { createRequestHandler } from "react-router";
import type { Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { createLog } from "#app/core/log.server.ts";
import { createListener } from "#app/http/listener.ts";
import { createMetrics } from "#app/http/metrics.server.ts";
import { staticFiles } from "#app/http/static-files.ts";
import { openDb } from "#db/connection.server.ts";
import { given } from "#scripts/bench/floor-app/given.ts";
import { readPageTree } from "./floor-page.ts";
import type { Environment } from "./server-process.ts";

export type FloorContent =
  | { kind: "bytes"; headers: Record<string, string>; body: string }
  | { kind: "calls"; build: string; database: string }
  | { kind: "page"; build: string; html: string; env: Environment };

/** What the page's loader returns, over and over. */
const LINE = "a sentence of data from a loader";

const content = JSON.parse(readFileSync(process.env.FLOOR!, "utf8")) as FloorContent;
const server = createServer(await listenerOf(content)).listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

async function listenerOf(floor: FloorContent): Promise<RequestListener> {
  if (floor.kind === "bytes") return sendBytes(floor);
  const module = await import(pathToFileURL(join(resolve(floor.build), "server/index.js")).href);
  const handler = createRequestHandler(module, "production");
  if (floor.kind === "page") return servePage(floor, handler);
  given.floor = { tree: [], filler: [], db: openDb(floor.database).driver };
  return createRequestListener((request) => handler(request));
}

function sendBytes({ headers, body }: FloorContent & { kind: "bytes" }): RequestListener {
  const bytes = Buffer.from(body, "base64");
  return (_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  };
}

type Handler = (request: Request) => Promise<Response>;

/** With the product's headers, compression, log and measures, so that only the page differs. */
async function servePage(
  { html, env: source }: FloorContent & { kind: "page" },
  handler: Handler,
): Promise<RequestListener> {
  const { env } = parseEnv(source);
  const db = openDb(env.databasePath);
  given.floor = { tree: readPageTree(html), filler: [], db: db.driver };
  await fillUp(handler, Buffer.byteLength(html));
  const now = Date.now;
  const deps = { db, env, now, log: createLog(env.logLevel), metrics: createMetrics(db, now) };
  return createListener({
    deps: deps as unknown as Deps,
    handle: (request) => handler(request),
    files: staticFiles("build/client"),
    forms: {},
    words: new Set(),
    accountOf: async () => null,
    readOfferQuery: () => null,
  });
}

/** Gives the page's loader as much to return as makes the page as long as ours. */
async function fillUp(handler: Handler, bytes: number): Promise<void> {
  const lengthOf = async () => {
    const answer = await handler(new Request("http://127.0.0.1/"));
    return (await answer.arrayBuffer()).byteLength;
  };
  const empty = await lengthOf();
  given.floor.filler = [`0 ${LINE}`];
  const one = (await lengthOf()) - empty;
  const lines = Math.max(0, Math.round((bytes - empty) / one));
  given.floor.filler = Array.from({ length: lines }, (_, i) => `${i} ${LINE}`);
}
