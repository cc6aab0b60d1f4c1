/** Runs a development tool to its end, with its output kept or let through. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";

export interface ToolResult {
  status: number;
  /** Empty where the output was let through. */
  output: string;
}

export interface ToolOptions {
  env?: NodeJS.ProcessEnv;
  /** Lets the output through as it comes instead of keeping it. */
  echo?: boolean;
}

/** Runs a script of an installed package on this process's Node. */
export function runNodeTool(args: readonly string[], options?: ToolOptions): Promise<ToolResult> {
  return runTool(process.execPath, args, options);
}

/** A signal to this process ends the tool first, and then this process. */
export async function runTool(
  program: string,
  args: readonly string[],
  { env = process.env, echo = false }: ToolOptions = {},
): Promise<ToolResult> {
  const stream = echo ? "inherit" : "pipe";
  const child = spawn(program, args, { env, stdio: ["ignore", stream, stream] });
  const stop = (signal: NodeJS.Signals) => {
    child.once("close", () => process.exit(128 + constants.signals[signal]));
    child.kill(signal);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const result = await resultOf(child);
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
  return result;
}

function resultOf(child: ChildProcess): Promise<ToolResult> {
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ status: 1, output: `${output}${error.message}\n` }));
    child.on("close", (code) => resolve({ status: code ?? 1, output }));
  });
}

/** The last lines of an output, which hold the reason when something failed. */
export function tail(output: string, lines = 30): string {
  return output.trimEnd().split("\n").slice(-lines).join("\n");
}
