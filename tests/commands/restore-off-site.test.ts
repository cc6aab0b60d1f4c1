/** What `restore` does with a copy of the store before and while it is there: room, the list, signals. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendCopy } from "#app/jobs/off-site.server.ts";
import { sendErasures } from "#app/jobs/off-site-copies.server.ts";
import { keepErasures } from "#db/erasure-list.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";
import { listening } from "#tests/support/listening.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";
import { runScript } from "#tests/support/run-script.ts";

const LIST = "here/erasures.jsonl.sealed";
const folder = scratchFolder();
const sandbox = sharedSandbox();
let lost: TestDeps;
let name: string;

beforeAll(async () => {
  const backups = join(folder, "of-the-lost-machine");
  lost = await makeDeps({ ...offSiteEnv(sandbox), BACKUP_DIR: backups });
  const { deps } = lost;
  writeSetting(deps.db, "ballast", randomBytes(2 ** 20).toString("base64"));
  keepErasures(
    backups,
    [1, 2].map((at) => ({ key: "k", email: `e${at}`, phones: [], bookings: [], at })),
  );
  name = (await sendCopy(deps)).name;
  await sendErasures(deps);
});

afterAll(() => lost.close());

/** The environment of a machine of its own. */
const machine = (at: string) => ({
  ...offSiteEnv(sandbox),
  DATABASE_PATH: join(folder, at, "bookings.db"),
  BACKUP_DIR: join(folder, at, "backups"),
});

describe("restore of a copy in the store", () => {
  it("fails by the name of the list of erasures when that was changed", async () => {
    const list = sandbox.s3.objects.get(LIST)!;
    const changed = Buffer.from(list);
    changed[list.length - 1]! ^= 1;
    sandbox.s3.objects.set(LIST, changed);
    const failed = await runScript("restore.ts", ["s3:latest"], machine("changed"));
    sandbox.s3.objects.set(LIST, list);
    expect(failed.status).toBe(1);
    expect(failed.output).toMatch(
      /^s3:latest: The list of erasures erasures\.jsonl\.sealed: .* changed.* Nothing was changed\.\n$/,
    );
    expect(readdirSync(join(folder, "changed"))).toEqual([]);
  });

  it("is refused where there is too little room, and removes what a killed one left", async () => {
    const env = machine("full");
    mkdirSync(join(folder, "full"));
    // As large as that it takes no room itself: it has no bytes.
    writeFileSync(env.DATABASE_PATH, "");
    truncateSync(env.DATABASE_PATH, 2 ** 42);
    writeFileSync(`${env.DATABASE_PATH}.fetched`, "left");
    const run = await runScript("restore.ts", [`s3:${name}`], env);
    expect(run.status).toBe(1);
    expect(run.output).toMatch(
      /^s3:\S+: A copy needs 8388609 MB free in \S+full, and \d+ MB are\. Nothing was changed\.\n$/,
    );
    expect(readdirSync(join(folder, "full"))).toEqual(["bookings.db"]);
    expect(statSync(env.DATABASE_PATH).size).toBe(2 ** 42);
  });

  it("leaves nothing opened when it is ended in the middle", async () => {
    const store = halfStore();
    const port = await listening(store);
    await Promise.all(
      (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(async (signal) => {
        const env = { ...machine(signal), BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}` };
        const fetched = `${env.DATABASE_PATH}.fetched`;
        const restore = startRestore(env);
        const ended = once(restore, "exit");
        await eventually(() => expect(statSync(fetched).size).toBeGreaterThan(100_000));
        restore.kill(signal);
        const [status] = await ended;
        expect(status, signal).toBeGreaterThan(128);
        expect(existsSync(fetched), signal).toBe(false);
      }),
    );
    store.closeAllConnections();
    store.close();
  });
});

function startRestore(env: Record<string, string>): ChildProcess {
  const script = join(import.meta.dirname, "../../scripts/restore.ts");
  return spawn(process.execPath, [script, "s3:latest"], { env: { ...process.env, ...env } });
}

/** Lists the copy, sends half of it, and then nothing more. */
function halfStore(): Server {
  const key = `here/${name}`;
  const bytes = sandbox.s3.objects.get(key)!;
  return createServer((request, response) => {
    if (request.url!.includes("list-type")) {
      response.end(
        `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents></ListBucketResult>`,
      );
      return;
    }
    response.writeHead(200, { "Content-Length": bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
  });
}
