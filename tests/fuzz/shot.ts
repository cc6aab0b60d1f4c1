/** One hostile request as bytes on a socket, and what came back. */
import { connect } from "node:net";
import { clock } from "./watch.ts";

export interface Shot {
  /** Which arbitrary made it. */
  kind: string;
  /** The route it is meant for, with `:id` and the like; findings are told apart by it. */
  target: string;
  method: string;
  path: string;
  /** Lines as they are sent; a value may hold a line break of its own. */
  headers: (readonly [name: string, value: string])[];
  body?: string | Uint8Array;
  /** Lets the body announce its own length. */
  framed?: boolean;
  delivery?: Delivery;
  /** It is no whole request: a closed connection without an answer will do. */
  broken?: boolean;
}

/** How the bytes are sent; all at once if nothing is said. */
export interface Delivery {
  /** Of the bytes, only this share is sent, then nothing until `patienceMs` is over. */
  share?: number;
  /** Bytes at a time, and the milliseconds between. */
  piece?: number;
  everyMs?: number;
  patienceMs?: number;
}

export interface Reply {
  /** Of each answer on the connection; nothing if it was closed without one, or never answered. */
  statuses: number[];
  /** The answers as they came, at most the first 2 MB. */
  text: string;
  isSilent: boolean;
  /** As `clock` tells it. */
  from: number;
  until: number;
}

/** Milliseconds for the answer to a request that is whole: a month of documents takes its time. */
const PATIENCE_MS = 60_000;
const KEPT = 2_000_000;

export function bytesOf(shot: Shot): Buffer {
  const { body = "" } = shot;
  const length = Buffer.byteLength(body);
  const own = shot.framed || (length === 0 && shot.method === "GET");
  const lines = [
    `${shot.method} ${shot.path} HTTP/1.1`,
    ...shot.headers.map(([name, value]) => `${name}: ${value}`),
    ...(shot.headers.some(([name]) => name.toLowerCase() === "host") ? [] : ["Host: localhost"]),
    ...(own ? [] : [`Content-Length: ${length}`]),
    // A second request in the bytes is to be answered, if anybody sees one.
    ...(shot.kind === "framing" ? [] : ["Connection: close"]),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return Buffer.concat([head, Buffer.from(body)]);
}

/** Never rejects: what the socket does is part of the reply. */
export function fire(port: number, shot: Shot): Promise<Reply> {
  const bytes = bytesOf(shot);
  const {
    share = 1,
    piece = bytes.length,
    everyMs = 0,
    patienceMs = PATIENCE_MS,
  } = shot.delivery ?? {};
  const end = Math.ceil(bytes.length * share);
  const from = clock();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let isSilent = false;
    const socket = connect({ port, host: "127.0.0.1" });
    const silence = setTimeout(() => {
      isSilent = true;
      socket.destroy();
    }, patienceMs);
    let timer: NodeJS.Timeout | undefined;
    const send = (at: number) => {
      socket.write(bytes.subarray(at, Math.min(at + piece, end)));
      if (at + piece < end) timer = setTimeout(send, everyMs, at + piece);
    };
    socket.on("connect", () => send(0));
    socket.on("data", (chunk) => {
      kept += chunk.length;
      if (kept < KEPT) chunks.push(chunk);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(silence);
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString("latin1");
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, n]) => Number(n));
      // A 100 is no answer yet.
      const answers = statuses.filter((status) => status !== 100);
      resolve({ statuses: answers, text, isSilent, from, until: clock() });
    });
  });
}

/** What is wrong with an answer by itself; null if nothing is. */
export function faultOf(shot: Shot, { statuses, text, isSilent }: Reply): string | null {
  const fault = statuses.find((status) => status >= 500);
  // A full queue says so and names a time to come back.
  if (fault && !(fault === 503 && /^retry-after: \d+\r$/im.test(text))) return `status ${fault}`;
  if (statuses.length > 1) return `${statuses.length} answers to one request`;
  if (/SQLITE_|SqliteError|node_modules\/|at [\w.]+ \(file:/.test(text))
    return "tells of its inside";
  if (shot.broken || statuses.length === 1) return null;
  return isSilent ? "no answer" : "closed without an answer";
}

/** For a person: the request with what it repeats written once. */
export function describeShot(shot: Shot): string {
  const { delivery } = shot;
  const text = bytesOf(shot)
    .toString("latin1")
    .replace(/(.{1,60}?)\1{7,}/gs, (all, one: string) => `«${one}»×${all.length / one.length}`);
  const how = delivery ? `\nsent as ${JSON.stringify(delivery)}` : "";
  return `${text.slice(0, 1_500)}${text.length > 1_500 ? `… ${text.length} characters` : ""}${how}`;
}
