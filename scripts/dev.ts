/** `npm run dev`: the development server and the sandbox, until Ctrl-C. */
import { spawnNode } from "#scripts/process/child-processes.ts";
import { describeLocalRun, runLocally } from "#scripts/process/local-run.ts";
import { ROUTER } from "#scripts/process/production-build.ts";

await runLocally("development", (run, group) => {
  console.log(`${describeLocalRun(run)}\n`);
  const host = run.env.HOST?.trim() || "127.0.0.1";
  const server = spawnNode(
    [ROUTER, "dev", "--host", host, "--port", String(run.port), "--strictPort"],
    { env: run.env, stdio: ["inherit", "inherit", "inherit"], interactive: true },
  );
  group.add("development server", server);
});
