/**
 * The servers under measurement, each a child process on a core of its own, and the files they work
 * on. The load is made by this process, on another core where the system has one and can do that.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { spawnNode, stopChild } from "#scripts/process/child-processes.ts";
import { smallMemory } from "#scripts/process/node-runtime.mjs";
import { freePort } from "#scripts/process/ports.ts";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import { ADMIN, testEnvironment } from "#tests/helpers/environment.ts";
import type { FloorContent } from "./floor-server.ts";

export const FLOOR_BUILD = "data/bench/floor-app";
const FLOOR_SERVER = "scripts/bench/floor-server.ts";
const APP_SERVER = "scripts/serve.mjs";

/** Milliseconds a server may take to listen. */
const START_LIMIT = 30_000;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

export type Environment = Record<string, string | undefined>;

export interface Effort {
  rounds: number;
  /** Seconds of one measurement. */
  seconds: number;
}

/** The cores of servers and load; null where they share. */
export interface Pinning {
  server: number | null;
  load: number | null;
}

export interface ServerProcess {
  port: number;
  /** Milliseconds of processor time used so far by all threads; NaN where the system does not say. */
  cpuMs(): number;
  /** Resident memory now, and the most there was, in MB; NaN where the system does not say. */
  memory(): { now: number; most: number };
  /** Sends a message over the channel and answers the next one that comes back. */
  ask<Answer>(): Promise<Answer>;
  stop(): Promise<void>;
}

export interface AppServer extends ServerProcess {
  origin: string;
  env: Environment;
}

/** What every case works with. */
export class Bench {
  readonly folder: string;
  readonly effort: Effort;
  readonly #pinning: Pinning;
  readonly #sandbox: Sandbox;
  readonly #servers = new Set<ServerProcess>();
  #files = 0;

  constructor(folder: string, effort: Effort, pinning: Pinning, sandbox: Sandbox) {
    this.folder = folder;
    this.effort = effort;
    this.#pinning = pinning;
    this.#sandbox = sandbox;
    mkdirSync(folder, { recursive: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** A copy of a filled database, to be written to. */
  copy(from: string, name: string): string {
    const path = this.path(name);
    copyFileSync(from, path);
    return path;
  }

  /** The built app as deployed: every request logged, work taken up each second. */
  async startApp(database: string, changes: Environment = {}, script = APP_SERVER) {
    const port = Number(changes.PORT ?? (await freePort()));
    const env: Environment = {
      ...testEnvironment(port, database, this.#sandbox),
      LOG_LEVEL: "info",
      WORKER_INTERVAL_MS: "1000",
      RETENTION_UNPAID_DAYS: "36500",
      ...changes,
    };
    const server = await this.#start(script, smallMemory(env));
    return { ...server, env, origin: `http://127.0.0.1:${port}` } satisfies AppServer;
  }

  async startFloor(content: FloorContent): Promise<ServerProcess> {
    const file = this.path(`floor-${this.#files++}.json`);
    writeFileSync(file, JSON.stringify(content));
    return this.#start(FLOOR_SERVER, { NODE_ENV: "production", FLOOR: file });
  }

  /** Ends what still runs and removes every file. */
  async close(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #start(script: string, env: Environment): Promise<ServerProcess> {
    const started = await startServer(script, env, this.#pinning);
    const server: ServerProcess = {
      ...started,
      stop: async () => {
        this.#servers.delete(server);
        await started.stop();
      },
    };
    this.#servers.add(server);
    return server;
  }
}

/** The header of a signed-in owner's calls. */
export async function signIn(app: AppServer): Promise<Record<string, string>> {
  const { username, password } = ADMIN;
  const response = await fetch(`${app.origin}/api/admin/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  if (!response.ok) throw new Error(`the sign-in answered ${response.status}`);
  const { data } = (await response.json()) as { data: { token: string } };
  return { Authorization: `Bearer ${data.token}` };
}

/** Starts `script`, which reports `{ port }` over its channel once it listens. */
async function startServer(
  script: string,
  env: Environment,
  pinning: Pinning,
): Promise<ServerProcess> {
  const child = spawnNode([script], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const pid = child.pid!;
  if (pinning.server !== null) pin(pid, pinning.server);
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors = (errors + chunk).slice(-10_000);
  });
  const ended = once(child, "close").then(() => {
    throw new Error(`${script} ended:\n${errors}`);
  });
  ended.catch(() => {});
  const ready = once(child, "message", { signal: AbortSignal.timeout(START_LIMIT) });
  const [message] = await Promise.race([ready, ended]);
  return {
    port: (message as { port: number }).port,
    cpuMs: () => cpuMsOf(pid),
    memory: () => memoryOf(pid),
    async ask() {
      const answer = once(child, "message").then(([text]) => text);
      child.send({});
      return Promise.race([answer, ended]);
    },
    stop: () => stopChild(child),
  };
}

function cpuMsOf(pid: number): number {
  const fields = readProc(pid, "stat").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function memoryOf(pid: number): { now: number; most: number } {
  const status = readProc(pid, "status");
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024);
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Keeps this process, which makes the load, on one core, and names the core left to servers. */
export function pinLoad(): Pinning {
  const [server, load] = allowedCores();
  if (server === undefined || load === undefined) return { server: null, load: null };
  return pin(process.pid, load) ? { server, load } : { server: null, load: null };
}

/** Moves a process with all its threads; later threads stay with it. */
function pin(pid: number, core: number): boolean {
  return spawnSync("taskset", ["-a", "-c", "-p", String(core), String(pid)]).status === 0;
}

/** From `pid 1's current affinity list: 0,2-3`. */
function allowedCores(): number[] {
  const { stdout } = spawnSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" });
  const list = /: ([\d,-]+)\s*$/.exec(stdout ?? "")?.[1] ?? "";
  return list.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return part === "" ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

export function describeMachine({ server, load }: Pinning): string {
  const cores = cpus();
  const pinned =
    server === null
      ? "not pinned: this system has no taskset, or one core"
      : `servers on core ${server}, load on core ${load}`;
  const model = cores[0]?.model.trim() ?? "unknown processor";
  return `${cores.length} × ${model}, ${process.platform} ${process.arch}, Node ${process.version}; ${pinned}`;
}
