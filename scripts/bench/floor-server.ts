/**
 * The floors as a process. `FLOOR` is a file with what to serve: fixed bytes from `node:http`; the
 * bare React Router app of `floor-app/`, its calls through the adapter that React Router's own
 * server uses, its page through the product's listener; or workbooks made by SheetJS alone.
 */
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { createRequestHandler } from "react-router";
import { createLog, type Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { createListener } from "#app/http/listener.ts";
import { createMetrics } from "#app/http/metrics.server.ts";
import { staticFiles } from "#app/http/respond.ts";
import { openDb } from "#db/connection.server.ts";
import { given, type PageNode } from "#scripts/bench/floor-app/page.ts";

export type FloorContent =
  | { kind: "bytes"; headers: Record<string, string>; body: string }
  | { kind: "calls"; build: string; database: string }
  | { kind: "page"; build: string; html: string; env: NodeJS.ProcessEnv }
  | { kind: "workbook"; rows: unknown[][] };

/** The page's loader returns this line many times. */
const LINE = "a sentence of data from a loader";

const VOID = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
/** Attributes that have no value in HTML, where React wants true. */
const FLAGS = new Set(
  "checked disabled hidden multiple open readonly required selected".split(" "),
);
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

const content = JSON.parse(readFileSync(process.env.FLOOR!, "utf8")) as FloorContent;
if (content.kind === "workbook") await makeWorkbooks(content.rows);
else {
  const server = createServer(await listenerOf(content)).listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

type Served = Exclude<FloorContent, { kind: "workbook" }>;

async function listenerOf(floor: Served): Promise<RequestListener> {
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

/** With the product's headers, compression, log and metrics, so that only the page differs. */
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
    words: new Set(),
    pageMethodsOf: () => "GET, HEAD",
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

/** Makes a compressed workbook each time it is asked, as SheetJS documents it, and answers the time taken. */
async function makeWorkbooks(rows: unknown[][]): Promise<void> {
  const { utils, write } = await import("xlsx");
  process.on("message", () => {
    const started = performance.now();
    const workbook = utils.book_new();
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), "Appointments");
    write(workbook, { type: "buffer", bookType: "xlsx", compression: true });
    process.send?.({ ms: performance.now() - started });
  });
  // The channel alone would not keep this process running.
  process.channel?.ref();
  process.send?.({ port: 0 });
}

/** The elements of the body, without scripts and comments. React's own output is well formed. */
function readPageTree(html: string): PageNode[] {
  const body = html.slice(html.indexOf(">", html.indexOf("<body")) + 1, html.indexOf("</body>"));
  const plain = body.replace(/<!--.*?-->/g, "").replace(/<script[^>]*>.*?<\/script>/gs, "");
  const root: PageNode[] = [];
  const open: PageNode[][] = [root];
  for (const [token] of plain.matchAll(/<[^>]*>|[^<]+/g)) {
    const here = open.at(-1)!;
    if (token.startsWith("</")) open.pop();
    else if (!token.startsWith("<")) here.push(plainText(token));
    else {
      const tag = /^<([^\s/>]+)/.exec(token)![1]!;
      const node = { tag, attributes: readAttributes(token), children: [] };
      here.push(node);
      if (!VOID.has(tag) && !token.endsWith("/>")) open.push(node.children);
    }
  }
  return root;
}

function readAttributes(token: string): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [, name = "", value = ""] of token.matchAll(/\s([^\s=/>]+)="([^"]*)"/g)) {
    if (name === "class") attributes.className = plainText(value);
    else attributes[name] = FLAGS.has(name.toLowerCase()) ? true : plainText(value);
  }
  return attributes;
}

function plainText(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name]!);
}
