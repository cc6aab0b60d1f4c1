/** `npm run dev`: the development server and the sandbox, until Ctrl-C. */
import { ChildGroup, spawnNode } from "#scripts/process/child-processes.ts";
import { describeLocalRun, PlainFailure, prepareLocalRun } from "#scripts/process/local-run.ts";
import { ROUTER } from "#scripts/process/production-build.ts";

const group = new ChildGroup();
startAll().catch((error) => {
  if (group.ending) return;
  console.error(error instanceof PlainFailure ? error.message : error);
  group.fail();
});
process.exit(await group.run());

async function startAll(): Promise<void> {
  const run = await prepareLocalRun(group, "development");
  if (group.ending) return;
  console.log(`${describeLocalRun(run)}\n`);
  const host = run.env.HOST?.trim() || "127.0.0.1";
  const server = spawnNode(
    [ROUTER, "dev", "--host", host, "--port", String(run.port), "--strictPort"],
    { env: run.env, stdio: ["inherit", "inherit", "inherit"], interactive: true },
  );
  group.add("development server", server);
}
