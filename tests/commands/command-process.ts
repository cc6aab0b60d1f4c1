/** A command as a person runs it, in the project's folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const ROOT = join(import.meta.dirname, "../..");

type Environment = Record<string, string | undefined>;

export const startNpm = (args: readonly string[], env: Environment) => start("npm", args, env);

export function start(program: string, args: readonly string[], env: Environment) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    pid: child.pid!,
    output: () => output,
    /** Waits for a text in the output; rejects when the command ends before. */
    async waitFor(text: string): Promise<void> {
      while (!output.includes(text)) {
        const code = await Promise.race([exit, sleep(20, "running")]);
        if (code !== "running") throw new Error(`ended with ${code} before ${text}:\n${output}`);
      }
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    exit,
  };
}
