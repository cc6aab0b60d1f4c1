/** The sandbox as a child process, known by what it prints when it is ready. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { spawnNode } from "./child-processes.ts";
import type { SandboxAddresses } from "./local-environment.ts";

const MAIN = "scripts/sandbox/main.ts";

export interface SandboxProcess extends SandboxAddresses {
  child: ChildProcess;
  /** Address of the page that shows captured mail and messages. */
  console: string;
}

/** Resolves when it is ready; rejects when it ends before. Its later output is let through. */
export function startSandboxProcess(
  env: Record<string, string | undefined>,
  onSpawn: (child: ChildProcess) => void,
): Promise<SandboxProcess> {
  const child = spawnNode([MAIN], { env, stdio: ["ignore", "pipe", "inherit"] });
  onSpawn(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      reject(new Error(`the sandbox ended with ${signal ?? `status ${code}`}`));
    });
    let ready = false;
    createInterface({ input: child.stdout! }).on("line", (line) => {
      if (ready || !line.startsWith('{"ready":true')) {
        console.log(line);
        return;
      }
      ready = true;
      resolve({ ...JSON.parse(line), child });
    });
  });
}
