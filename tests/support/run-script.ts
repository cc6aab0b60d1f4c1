/** Runs one of the npm commands' scripts to its end. */
import { execFile } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export const runScript = (
  script: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  input?: string,
) => runNode(root, [join(root, "scripts", script), ...args], { ...process.env, ...env }, input);

/** `output` is what it printed, errors last. */
export function runNode(
  cwd: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  input = "",
): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env, cwd }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
    child.stdin?.end(input);
  });
}
