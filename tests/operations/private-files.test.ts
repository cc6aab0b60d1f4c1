/** Who may read the database and its copies, on a system whose files are everybody's by default. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runOffSite } from "#app/jobs/off-site.server.ts";
import { fetchOffSite } from "#app/jobs/off-site-copies.server.ts";
import { HOUR } from "#app/model/dates.ts";
import { makeBackup } from "#db/backup.server.ts";
import { migrate, openDb } from "#db/connection.server.ts";
import { keepFolderPrivate } from "#db/copy-files.ts";
import { keepErasures } from "#db/erasure-list.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { makeDeps } from "#tests/support/deps.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

quickCopies();
let root: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o000);
  root = mkdtempSync(join(tmpdir(), "private-"));
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true, force: true });
});

/** Of everything below a folder that others may touch: path and rights. */
function open(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const rights = statSync(path).mode & 0o777;
    const wanted = entry.isDirectory() ? 0o700 : 0o600;
    return rights === wanted ? [] : [`${relative(folder, path)} ${rights.toString(8)}`];
  });
}
const filled = async (path: string) => {
  const db = openDb(path);
  await migrate(db);
  return db;
};

it("makes the file, its log and every copy with their folders for this account alone", async () => {
  const path = join(root, "data", "deep", "bookings.db");
  const db = await filled(path);
  expect(readdirSync(join(root, "data", "deep"))).toHaveLength(3);
  expect(open(root)).toEqual([]);
  const folder = join(root, "copies");
  const copying = makeBackup(db, { folder, keep: 3, now: Date.now() });
  expect(open(root)).toEqual([]);
  const { path: copy } = await copying;
  keepErasures(folder, [{ key: "k", email: "e", phones: [], bookings: [], at: 1 }]);
  expect([readdirSync(folder).length, open(root)]).toEqual([2, []]);
  db.close();
  chmodSync(copy, 0o644);
  const { replaced } = await restoreBackup(copy, path, Date.now());
  expect([replaced !== null, open(join(root, "data"))]).toEqual([true, []]);
});

it("closes those that are there, with the file beside the log and copies in folders", async () => {
  const data = join(root, "data");
  const path = join(data, "bookings.db");
  const db = await filled(path);
  writeFileSync(`${path}.replaced-1`, "");
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
  chmodSync(data, 0o755);
  openDb(path).close();
  expect([open(root), statSync(path).mode & 0o777]).toEqual([[], 0o600]);
  db.close();
  const copies = join(root, "copies");
  mkdirSync(join(copies, "off-site"), { recursive: true, mode: 0o755 });
  const copy = "bookings-20261120T093015Z.db";
  const names = [copy, "erasures.jsonl", `off-site/${copy}.zst.sealed`];
  for (const name of names) writeFileSync(join(copies, name), "");
  expect(open(copies)).toHaveLength(4);
  keepFolderPrivate(copies);
  keepFolderPrivate(join(root, "none", "yet"));
  expect(open(root)).toEqual([]);
  expect(statSync(join(root, "none", "yet")).isDirectory()).toBe(true);
});

it("leaves what is not its own, and a folder that holds some of it", () => {
  const [home, path] = [join(root, "home"), join(root, "home", "a")];
  const foreign = ["a.txt", "apache", "bookings.txt", "off-site/notes", "work/bookings.db"];
  for (const name of ["", "off-site", "work"]) mkdirSync(join(home, name));
  const own = ["a", "erasures.jsonl", "off-site/bookings-20261120T093015Z.db.zst.sealed"];
  for (const name of [...foreign, ...own]) writeFileSync(join(home, name), "");
  keepFolderPrivate(home);
  openDb(path).close();
  expect(open(root).sort()).toEqual(
    [
      "home 777",
      "home/off-site 777",
      "home/work 777",
      ...foreign.map((name) => `home/${name} 666`),
    ].sort(),
  );
});

it("leaves a folder that all share as it is", () => {
  const shared = join(root, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  openDb(join(shared, "bookings.db")).close();
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  expect(statSync(join(shared, "bookings.db")).mode & 0o777).toBe(0o600);
});

it("makes the copies that are sent and fetched for this account alone", async () => {
  const sandbox = await startSandbox();
  const folder = join(root, "copies");
  const quick = { WORKER_INTERVAL_MS: "10" };
  const test = await makeDeps({ ...offSiteEnv(sandbox), ...quick, BACKUP_DIR: folder });
  sandbox.switches.set({ name: "s3_error", match: "PUT", count: 3, value: 503 });
  await runOffSite(test.deps, new AbortController().signal);
  expect(readdirSync(join(folder, "off-site"))).toHaveLength(1);
  expect(open(root)).toEqual([]);
  test.clock.now += 2 * HOUR;
  await runOffSite(test.deps, new AbortController().signal);
  await fetchOffSite(test.deps.env.backup.offSite!, "latest", join(folder, "fetched"));
  expect([readdirSync(folder).includes("fetched"), open(root)]).toEqual([true, []]);
  test.close();
  await sandbox.close();
});
