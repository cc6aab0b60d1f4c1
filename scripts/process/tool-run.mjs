/** Runs a program to its end, with its output kept or let through. Plain JavaScript: installing needs it. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Runs a script of an installed package on this process's Node. */
export function runNodeTool(args, options) {
  return runTool(process.execPath, args, options);
}

/** A signal to this process ends the tool first, and then this process. */
export async function runTool(program, args, { env = process.env, echo = false } = {}) {
  const stream = echo ? "inherit" : "pipe";
  const child = spawn(program, args, { env, stdio: ["ignore", stream, stream] });
  const stop = (signal) => {
    child.once("close", () => process.exit(128 + constants.signals[signal]));
    child.kill(signal);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  let output = "";
  for (const source of [child.stdout, child.stderr]) {
    source?.on("data", (chunk) => {
      output += chunk;
    });
  }
  const status = await new Promise((resolve) => {
    child.on("error", (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
  return { status, output };
}

/** The last lines of an output, which hold the reason when something failed. */
export function tail(output, lines = 30) {
  return output.trimEnd().split("\n").slice(-lines).join("\n");
}
