/** Copies without room for them: nothing half-made is left, former copies stay, the owner is notified; and what goes by its age. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runScheduledBackup } from "#app/jobs/backups.server.ts";
import { runOffSite, sendCopy } from "#app/jobs/off-site.server.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { makeBackup } from "#db/backup.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { openSmallDisk } from "#tests/faults/small-disk.ts";
import { scratchFolder, sharedDeps } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

quickCopies();
const disk = openSmallDisk();
const folder = scratchFolder();
const test = sharedDeps({ BACKUP_DIR: folder });
afterAll(() => disk?.close());

const alerts = () =>
  test.deps.db.allRaw<{ data: string }>(
    "SELECT data FROM message WHERE kind = 'admin_backup_failed'",
  );

it.skipIf(!disk?.isMounted)(
  "a copy without room is not begun, and comes once there is some",
  async () => {
    const { env } = test.deps;
    const databasePath = join(folder, "bookings.db");
    const backup = { ...env.backup, dir: disk!.folder };
    const deps = { ...test.deps, env: { ...env, databasePath, backup } };
    await runScheduledBackup(deps);
    const first = readdirSync(disk!.folder);
    expect(first).toHaveLength(1);
    writeFileSync(join(disk!.folder, "other"), randomBytes(5 * 2 ** 20));
    writeSetting(deps.db, "ballast", randomBytes(2 ** 20).toString("base64"));
    test.clock.now += 25 * HOUR;
    await runScheduledBackup(deps);
    expect(readdirSync(disk!.folder)).toEqual([...first, "other"]);
    expect(alerts()[0]!.data).toMatch(/A copy needs \d+ MB free in \S+, and \d+ MB are\./);

    rmSync(join(disk!.folder, "other"));
    test.clock.now += HOUR;
    await runScheduledBackup(deps);
    expect(readdirSync(disk!.folder)).toHaveLength(2);
    expect(alerts()).toHaveLength(1);
  },
);

it("a copy sent by hand that does not go through leaves nothing behind", async () => {
  const none = { endpoint: "http://127.0.0.1:9", bucket: "bucket", region: "r", prefix: "" };
  const offSite = {
    ...none,
    accessKeyId: "a",
    secretAccessKey: "s",
    everyHours: 1,
    keepDays: 30,
    afterSeconds: 0,
    pauseMs: 1,
    partBytes: 2 ** 20,
    encryptionKey: Buffer.alloc(32),
  };
  const env = { ...test.deps.env, backup: { ...test.deps.env.backup, offSite } };
  await expect(sendCopy({ ...test.deps, env })).rejects.toThrow("The store could not write");
  expect(readdirSync(folder)).toEqual([]);

  // The scheduled one whose place cannot be noted, since the file cannot be written.
  let reads = 0;
  const now = () => {
    if (++reads === 2) test.deps.db.driver.pragma("query_only = ON");
    return test.clock.now;
  };
  const run = runOffSite({ ...test.deps, env, now }, new AbortController().signal);
  await expect(run).rejects.toThrow(/readonly/);
  test.deps.db.driver.pragma("query_only = OFF");
  expect(readdirSync(folder)).toEqual([]);
});

it("one is made at once where none is there, as on a machine that was restored", async () => {
  const backup = { ...test.deps.env.backup, dir: join(folder, "restored") };
  const deps = { ...test.deps, env: { ...test.deps.env, backup } };
  writeSetting(deps.db, "last_backup", JSON.stringify({ at: test.clock.now, bytes: 1, ms: 1 }));
  await runScheduledBackup(deps);
  expect(readdirSync(backup.dir)).toHaveLength(1);
  test.clock.now += HOUR;
  await runScheduledBackup(deps);
  expect(readdirSync(backup.dir)).toHaveLength(1);
});

it("what a restore replaced goes when a copy of its age would", async () => {
  const { deps, clock } = test;
  const place = join(folder, "replaced");
  mkdirSync(place);
  const backup = { ...deps.env.backup, dir: join(folder, "copies"), keep: 3 };
  const env = { ...deps.env, backup, databasePath: join(place, "bookings.db") };
  const ages = [1, 2.9, 3.1, 40].map((days) => `bookings.db.replaced-${clock.now - days * DAY}`);
  for (const name of [...ages, "bookings.db", "other.db.replaced-1"]) {
    writeFileSync(join(place, name), "x");
  }
  await runScheduledBackup({ ...deps, env });
  const left = ["bookings.db", ...ages.slice(0, 2), "other.db.replaced-1"];
  expect(readdirSync(place).sort()).toEqual(left.sort());
});

it.skipIf(!disk?.isMounted)(
  "a whole copy for which there is no room is not called a bad one",
  async () => {
    const { deps, clock } = test;
    const { path, bytes } = await makeBackup(deps.db, { folder, keep: 9, now: clock.now });
    for (const name of readdirSync(disk!.folder)) rmSync(join(disk!.folder, name));
    disk!.fill({ pid: process.pid }, "");
    const filler = join(disk!.folder, "filler");
    const { size } = statSync(filler);
    const said: string[] = [];
    // Room for the copy, and for less of its log from try to try.
    for (let log = 48; log >= 32; log -= 4) {
      truncateSync(filler, size - bytes - log * 1024);
      const target = join(disk!.folder, "back.db");
      const tried = restoreBackup(path, target, clock.now);
      said.push(
        await tried.then(
          () => "restored",
          ({ message }) => message,
        ),
      );
      rmSync(target, { force: true });
      writeFileSync(filler, "");
      disk!.fill({ pid: process.pid }, "");
    }
    expect(said).toContain("The disk is full.");
    expect(said.join()).not.toContain("no whole backup");
  },
);
