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
import { apiOf } from "#tests/helpers/api-client.ts";
import { ADMIN, type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import type { FloorContent } from "./floor-server.ts";

export const FLOOR_BUILD = "data/bench/floor-app";
const FLOOR_SERVER = "scripts/bench/floor-server.ts";
const APP_SERVER = "scripts/serve.mjs";

/** Milliseconds a server may take to listen. */
const START_LIMIT = 30_000;
const SERVER_CORE = 0;
const LOAD_CORE = 1;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

export type AppServer = Awaited<ReturnType<Bench["startApp"]>>;

export type Bench = ReturnType<typeof makeBench>;

/** What every case works with. */
export function makeBench(folder: string, sandbox: Sandbox, isPinned = false) {
  const servers: ServerProcess[] = [];
  mkdirSync(folder, { recursive: true });
  const path = (name: string) => join(folder, name);

  async function start(script: string, env: Environment): Promise<ServerProcess> {
    const server = await startServer(script, env, isPinned);
    servers.push(server);
    return server;
  }

  return {
    path,
    /** A copy of a filled database, to be written to. */
    copy(from: string, name: string): string {
      copyFileSync(from, path(name));
      return path(name);
    },
    /** The built app as deployed: every request logged, work taken up each second. */
    async startApp(database: string, changes: Environment = {}, script = APP_SERVER) {
      const port = Number(changes.PORT ?? (await freePort()));
      const env: Environment = {
        ...testEnvironment(port, database, sandbox),
        LOG_LEVEL: "info",
        WORKER_INTERVAL_MS: "1000",
        RETENTION_UNPAID_DAYS: "36500",
        ...changes,
      };
      const server = await start(script, smallMemory(env));
      return { ...server, env, origin: `http://127.0.0.1:${port}` };
    },
    async startFloor(content: FloorContent): Promise<ServerProcess> {
      const file = path(`floor-${servers.length}.json`);
      writeFileSync(file, JSON.stringify(content));
      return start(FLOOR_SERVER, { NODE_ENV: "production", FLOOR: file });
    },
    /** Ends what still runs and removes every file. */
    async close(): Promise<void> {
      for (const server of servers) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The header of a signed-in owner's calls. */
export async function signIn(app: AppServer): Promise<Record<string, string>> {
  const { username, password } = ADMIN;
  const { data } = await apiOf(app.origin)("/api/admin/login", { json: { username, password } });
  return { Authorization: `Bearer ${data.token}` };
}

/** Starts `script`, which reports `{ port }` over its channel once it listens. */
async function startServer(script: string, env: Environment, isPinned: boolean) {
  const child = spawnNode([script], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const pid = child.pid!;
  if (isPinned) pin(pid, SERVER_CORE);
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
    /** Milliseconds of processor time used so far by all threads; NaN where the system does not say. */
    cpuMs: () => cpuMsOf(pid),
    /** Resident memory now, and the most there was, in MB; NaN where the system does not say. */
    memory: () => memoryOf(pid),
    /** Sends a message over the channel and answers the next one that comes back. */
    async ask<Answer>(): Promise<Answer> {
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

/** Keeps this process, which makes the load, off the servers' core; false where the system cannot. */
export function pinLoad(): boolean {
  return cpus().length > LOAD_CORE && pin(process.pid, LOAD_CORE);
}

/** Moves a process with all its threads; later threads stay with it. */
function pin(pid: number, core: number): boolean {
  return spawnSync("taskset", ["-a", "-c", "-p", String(core), String(pid)]).status === 0;
}

export function describeMachine(isPinned: boolean): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? "unknown processor";
  const pinned = isPinned ? "servers and load on a core each" : "servers and load share the cores";
  return `${cores.length} × ${model}, ${process.platform} ${process.arch}, Node ${process.version}; ${pinned}`;
}
