/** Child processes that end together: with their parent, at Ctrl-C, or when one of them fails. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const END_WITH_PARENT = fileURLToPath(new URL("./end-with-parent.mjs", import.meta.url));

/** Milliseconds from SIGTERM to SIGKILL. */
const STOP_LIMIT = 12_000;

export interface NodeChildOptions {
  env: NodeJS.ProcessEnv;
  /** stdin, stdout, stderr; a channel is added. */
  stdio: ("ignore" | "inherit" | "pipe")[];
  cwd?: string;
  /** Shares the terminal: Ctrl-C reaches it directly, and it may read keys. */
  interactive?: boolean;
}

/**
 * Starts a Node program on this process's Node; it ends when this process ends. Ctrl-C reaches only
 * this process, which then decides the order, unless the child is interactive.
 */
export function spawnNode(args: readonly string[], options: NodeChildOptions): ChildProcess {
  return spawn(process.execPath, ["--import", END_WITH_PARENT, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: options.env,
    stdio: [...options.stdio, "ipc"],
    detached: !options.interactive,
  });
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Ends a child within 12 s, by SIGKILL if it does not go by itself. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT);
  await exit;
  clearTimeout(timer);
}

export type ChildGroup = ReturnType<typeof makeChildGroup>;

/**
 * The children of one command. `run` answers the status the command ends with: 0 after SIGINT or
 * SIGTERM, else that of the first child that ended by itself.
 */
export function makeChildGroup() {
  const stops: (() => Promise<void>)[] = [];
  const finished = Promise.withResolvers<number>();
  let ending = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(0));

  /** Last started, first stopped: the app finishes its mail before the mail sink goes. */
  async function end(status: number): Promise<void> {
    if (ending) return;
    ending = true;
    for (const stop of stops.toReversed()) await stop();
    finished.resolve(status);
  }

  return {
    /** True once it is stopping. */
    get ending(): boolean {
      return ending;
    },
    add(name: string, child: ChildProcess): void {
      stops.push(() => stopChild(child));
      const ended = (how: string, status: number) => {
        if (ending) return;
        console.error(`The ${name} ended by itself (${how}); stopping the rest.`);
        end(status || 1);
      };
      child.on("error", (error) => ended(error.message, 1));
      child.on("exit", (code, signal) => ended(signal ?? `status ${code}`, code ?? 1));
    },
    /** What this process does when what was added later has ended. */
    onEnd: (stop: () => Promise<void>) => void stops.push(stop),
    /** Ends the command with a failure, from outside a child. */
    fail: () => end(1),
    run: (): Promise<number> => finished.promise,
  };
}
