/** A server under measurement: a child process on the servers' core, known by what it says when ready. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { spawnNode, stopChild } from "#scripts/process/child-processes.ts";
import { type Pinning, pin } from "./pinning.ts";

/** Milliseconds a server may take to listen. */
const START_LIMIT = 30_000;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

export type Environment = Record<string, string | undefined>;

export interface ServerProcess {
  port: number;
  pid: number;
  /** Milliseconds of processor time used so far, all threads; null where the system does not tell. */
  cpuMs(): number | null;
  /** Resident memory now, and the most there was, in MB; null where the system does not tell. */
  memory(): { now: number; most: number } | null;
  /** Sends a message over the channel and answers the next one that comes back. */
  ask<Answer>(): Promise<Answer>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  script: string;
  env: Environment;
  pinning: Pinning;
}

/** Starts `script`, which reports `{ port }` over its channel once it listens. */
export async function startServer({ script, env, pinning }: ServerOptions): Promise<ServerProcess> {
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
  const ended = once(child, "close").then(() => null);
  const ready = once(child, "message", { signal: AbortSignal.timeout(START_LIMIT) });
  const message = await Promise.race([ready.then(([text]) => text as { port: number }), ended]);
  if (!message) throw new Error(`${script} did not start:\n${errors}`);
  return {
    port: message.port,
    pid,
    cpuMs: () => cpuMsOf(pid),
    memory: () => memoryOf(pid),
    async ask() {
      const answer = once(child, "message").then(([text]) => text);
      child.send({});
      const gone = ended.then(() => Promise.reject(new Error(`${script} ended:\n${errors}`)));
      return Promise.race([answer, gone]);
    },
    stop: () => stopChild(child),
  };
}

function cpuMsOf(pid: number): number | null {
  const fields = readProc(pid, "stat")?.split(") ").at(-1)?.split(" ");
  if (!fields) return null;
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function memoryOf(pid: number): { now: number; most: number } | null {
  const status = readProc(pid, "status");
  if (!status) return null;
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024);
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return null;
  }
}
