/** What is said, in one line, by what cannot begin while no byte fits on the disk. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preparedDb } from "#tests/helpers/app.ts";
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import { startServerProcess } from "#tests/helpers/server-process.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";
import { openRelease, RELEASES } from "#tests/support/releases.ts";
import { runScript } from "#tests/support/run-script.ts";
import { openSmallDisk } from "./small-disk.ts";

const disk = openSmallDisk();
const folder = scratchFolder();
const sandbox = sharedSandbox();

describe.skipIf(!disk?.isMounted)("on a full disk", () => {
  let env: Environment;
  beforeAll(async () => {
    env = testEnvironment(0, join(disk!.folder, "test.db"), sandbox);
    (await preparedDb(env)).close();
    disk!.fill({ pid: process.pid }, env.DATABASE_PATH!);
  });
  afterAll(() => disk!.close());

  async function startFails(changes: Environment): Promise<string> {
    const failed = startServerProcess({ ...env, ...changes });
    const { message } = (await failed.then(null, (error) => error)) as Error;
    expect(message).not.toMatch(/^\s+at /m);
    return message;
  }

  it("a start asks for room", async () => {
    expect(await startFails({})).toMatch(/^DATABASE_PATH \S+test\.db .*: the disk is full: /m);
  });

  it("an upgrade without room for its copy says how much it needs", async () => {
    const path = join(folder, "former.db");
    (await openRelease(RELEASES[0]!, path)).close();
    const said = await startFails({ DATABASE_PATH: path, BACKUP_DIR: disk!.folder });
    expect(said).toMatch(/^DATABASE_PATH \S+former\.db .*: A copy needs \d+ MB free in /m);
  });

  it("an account is not made", async () => {
    const args = ["--username", "asha", "--email", "asha@captains.example"];
    const run = await runScript("admin-create.ts", args, env, "quiet-runway-0917\n");
    expect(run.status).toBe(1);
    expect(run.output).toMatch(/^DATABASE_PATH \S+test\.db .*: the disk is full: .*\n$/);
  });
});
