/** Gives server and load a core of their own each, where the system can do that. */
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";

export interface Pinning {
  server: number | null;
  load: number | null;
}

/** Keeps this process, which makes the load, on one core; answers the core that is left to servers. */
export function pinLoad(): Pinning {
  const allowed = allowedCores(process.pid);
  const [server, load] = allowed;
  if (server === undefined || load === undefined) return { server: null, load: null };
  return pin(process.pid, load) ? { server, load } : { server: null, load: null };
}

/** Moves a process with all its threads; later threads stay with it. */
export function pin(pid: number, core: number): boolean {
  return spawnSync("taskset", ["-a", "-c", "-p", String(core), String(pid)]).status === 0;
}

export function describePinning({ server, load }: Pinning): string {
  return server === null
    ? "not pinned: this system has no taskset, or one core"
    : `servers on core ${server}, load on core ${load}`;
}

export function describeMachine(): string {
  const cores = cpus();
  return `${cores.length} × ${cores[0]?.model.trim() ?? "unknown processor"}, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** The cores a process may run on, from `pid 1's current affinity list: 0,2-3`. */
function allowedCores(pid: number): number[] {
  const { status, stdout } = spawnSync("taskset", ["-c", "-p", String(pid)], { encoding: "utf8" });
  if (status !== 0) return [];
  const list = stdout.slice(stdout.lastIndexOf(":") + 1).trim();
  return list.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map(Number);
    if (first === undefined || last === undefined) return [];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
