/** `npm start`: the built app and the sandbox on this machine, until Ctrl-C. */
import { once } from "node:events";
import { BRAND } from "#app/catalogue.ts";
import { spawnNode } from "#scripts/process/child-processes.ts";
import { describeLocalRun, runLocally } from "#scripts/process/local-run.ts";
import { smallMemory } from "#scripts/process/node-runtime.mjs";
import { ensureBuild } from "#scripts/process/production-build.ts";

if (!(await ensureBuild())) process.exit(1);
await runLocally("production", async (run, group) => {
  const app = spawnNode(["scripts/serve.mjs"], {
    env: smallMemory(run.env),
    stdio: ["ignore", "inherit", "inherit"],
  });
  group.add("app", app);
  // The app reports over its channel that it listens; if it ends instead, the group ends.
  await once(app, "message");
  if (group.ending) return;
  console.log(`\n${BRAND.name} is ready.\n\n${describeLocalRun(run)}\n\nCtrl-C stops it all.\n`);
});
