/**
 * Makes HTTP load over raw sockets. It costs less per request than the plainest Node server, as
 * a load generator must, or the floors are measured at its own limit and look lower than they are:
 * autocannon takes 17 µs of processor time per request where `node:http` takes 15 and this takes 11.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Target {
  port: number;
  /** The bytes of the nth request of this load. */
  request: Buffer | ((n: number) => Buffer);
  /** The status every answer must have. */
  expect?: number | undefined;
}

export type LoadResult = ReturnType<typeof summarise>;

export function requestBytes(
  path: string,
  parts: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Buffer {
  const { method = "GET", headers = {}, body = "" } = parts;
  const fields: Record<string, string> = {
    Host: "127.0.0.1",
    Accept: "*/*",
    "User-Agent": "bench",
    ...headers,
    ...(body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/**
 * Each connection sends its next request when the last one is answered: for so many seconds, or
 * until so many answers have come.
 */
export async function runLoad(
  target: Target,
  limits: { connections: number; seconds?: number; answers?: number },
): Promise<LoadResult> {
  const { connections, seconds = Infinity, answers = Infinity } = limits;
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  let sent = 0;
  const work = async () => {
    const connection = await Connection.open(target);
    while (sent < answers && performance.now() < until) {
      latencies.push(await connection.ask(sent++));
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return summarise(latencies, performance.now() - started);
}

/**
 * Sends at fixed intervals whatever the answers do, so that a slow one delays no other and none is
 * left out of the count.
 */
export function probe(target: Target, intervalMs: number) {
  const latencies: number[] = [];
  const idle: Connection[] = [];
  const running: Promise<void>[] = [];
  const started = performance.now();
  let sent = 0;
  const ask = async () => {
    const connection = idle.pop() ?? (await Connection.open(target));
    latencies.push(await connection.ask(sent++));
    idle.push(connection);
  };
  const timer = setInterval(() => {
    const one = ask();
    // `stop` throws what went wrong.
    one.catch(() => {});
    running.push(one);
  }, intervalMs);
  return {
    /** Sends no more, waits for the open answers, and returns the result. */
    async stop(): Promise<LoadResult> {
      clearInterval(timer);
      await Promise.all(running);
      for (const connection of idle) connection.close();
      return summarise(latencies, performance.now() - started);
    },
  };
}

/** Percentiles in milliseconds. */
function summarise(latencies: number[], ms: number) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return {
    answers: sorted.length,
    perSecond: (sorted.length / ms) * 1000,
    p50: at(0.5) ?? Number.NaN,
    p99: at(0.99) ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** One kept-alive connection; finds the end of an answer, and checks its status. */
class Connection {
  readonly #socket: Socket;
  readonly #target: Target;
  #head: Buffer = Buffer.alloc(0);
  /** Bytes of the body still to come; -1: until the last chunk; null: the head is not complete. */
  #left: number | null = null;
  #tail: Buffer = HEAD_END;
  #done: (() => void) | null = null;
  #fail: ((error: Error) => void) | null = null;

  private constructor(target: Target) {
    this.#target = target;
    this.#socket = connect({ port: target.port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#fail?.(error));
    this.#socket.on("close", () => this.#fail?.(new Error("the server closed the connection")));
  }

  static async open(target: Target): Promise<Connection> {
    const connection = new Connection(target);
    await once(connection.#socket, "connect");
    return connection;
  }

  /** Milliseconds from the first byte sent to the last one received. */
  ask(n: number): Promise<number> {
    const { request } = this.#target;
    const bytes = typeof request === "function" ? request(n) : request;
    return new Promise((resolve, reject) => {
      const started = performance.now();
      this.#done = () => resolve(performance.now() - started);
      this.#fail = reject;
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#fail = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let body = chunk;
    if (this.#left === null) {
      const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = bytes;
        return;
      }
      this.#head = Buffer.alloc(0);
      this.#left = this.#readHead(bytes.toString("latin1", 0, end));
      body = bytes.subarray(end + HEAD_END.length);
      this.#tail = HEAD_END;
    }
    if (this.#left >= 0) this.#left -= body.length;
    if (this.#left > 0 || (this.#left < 0 && !this.#endsWithLastChunk(body))) return;
    this.#left = null;
    const done = this.#done;
    this.#done = this.#fail = null;
    done?.();
  }

  /** The last chunk's seven bytes may come in pieces. */
  #endsWithLastChunk(body: Buffer): boolean {
    const length = LAST_CHUNK.length;
    this.#tail =
      body.length >= length
        ? body.subarray(-length)
        : Buffer.concat([this.#tail, body]).subarray(-length);
    return this.#tail.equals(LAST_CHUNK);
  }

  #readHead(head: string): number {
    const status = Number(head.slice(9, 12));
    if (status !== (this.#target.expect ?? 200)) {
      this.#fail?.(new Error(`an answer had status ${status}:\n${head}`));
    }
    if (/^transfer-encoding: chunked$/im.test(head)) return -1;
    return Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  }
}
