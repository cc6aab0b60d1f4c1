/** The sandbox as a process of its own. Configuration from the environment; one JSON line when ready. */
import { optionsOf } from "./options.ts";
import { startSandbox } from "./sandbox.ts";

try {
  const sandbox = await startSandbox(optionsOf(process.env));
  console.log(JSON.stringify({ ready: true, ...sandbox.addresses }));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => void sandbox.close().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(`the sandbox did not start: ${(error as Error).message}`);
  process.exit(1);
}
