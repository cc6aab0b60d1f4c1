/** An npm command as a person runs it, in the project's folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface NpmProcess {
  pid: number;
  output(): string;
  /** Waits for a text in the output; rejects when the command ends before. */
  waitFor(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  exit: Promise<number | null>;
}

export function startNpm(
  args: readonly string[],
  env: Record<string, string | undefined>,
): NpmProcess {
  const child = spawn("npm", args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const arrived = new Set<() => void>();
  const take = (chunk: Buffer) => {
    output += chunk;
    for (const look of arrived) look();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    pid: child.pid!,
    output: () => output,
    waitFor: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        arrived.add(look);
        look();
        void exit.then((code) =>
          reject(new Error(`ended with ${code} before ${text}:\n${output}`)),
        );
      }),
    kill: (signal) => child.kill(signal),
    exit,
  };
}
