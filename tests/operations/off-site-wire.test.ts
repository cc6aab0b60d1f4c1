/**
 * Copies to an S3 server that others wrote, for the wire alone: addresses, XML, parts. It reckons the
 * signature over another path than the one that is asked for where a bucket is listed, so those are
 * looked at by the sandbox's store.
 */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
// @ts-expect-error: it has no types.
import S3rver from "@20minutes/s3rver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyName, openStore } from "#app/jobs/copy-store.server.ts";
import { runOffSite } from "#app/jobs/off-site.server.ts";
import { fetchOffSite, listOffSite, readLastOffSite } from "#app/jobs/off-site-copies.server.ts";
import { DAY } from "#app/model/dates.ts";
import { openDb } from "#db/connection.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

interface Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

quickCopies();
const folder = scratchFolder();
let server: Server;
let test: TestDeps;
beforeAll(async () => {
  server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory: join(folder, "store"),
    configureBuckets: [{ name: "copies" }],
  });
  const { port } = await server.run();
  test = await makeDeps({
    BACKUP_DIR: join(folder, "backups"),
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    BACKUP_S3_BUCKET: "copies",
    BACKUP_S3_REGION: "us-east-1",
    BACKUP_S3_PREFIX: "here/",
    BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
    BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
    BACKUP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
});
afterAll(async () => {
  test.close();
  await server.close();
});

const offSite = () => test.deps.env.backup.offSite!;
const run = () => runOffSite(test.deps, new AbortController().signal);

it("a small copy in one piece and a big one in parts come back as they were, and old ones go", async () => {
  await run();
  const small = readLastOffSite(test.deps)!;
  writeSetting(test.deps.db, "ballast", randomBytes(9 * 2 ** 20).toString("base64"));
  test.clock.now += 40 * DAY;
  await run();
  const big = readLastOffSite(test.deps)!;
  expect(big.bytes).toBeGreaterThan(offSite().partBytes);
  expect([small.name, big.name]).toEqual([
    copyName(test.clock.now - 40 * DAY),
    copyName(test.clock.now),
  ]);
  expect(await listOffSite(offSite())).toEqual([big]);

  const fetched = join(folder, "fetched.db");
  await fetchOffSite(offSite(), "latest", fetched);
  const copy = openDb(fetched, { readonly: true });
  expect(readSetting(copy, "ballast")).toBe(readSetting(test.deps.db, "ballast"));
  copy.close();
  expect(readdirSync(join(folder, "backups", "off-site"))).toEqual([]);
}, 60_000);

it("names may have every sign that a prefix may have; a missing copy is null, and an unknown key is refused", async () => {
  const store = openStore({ ...offSite(), prefix: "a.b_c-d/e/" });
  await store.put("x y+z.sealed", Buffer.from("words"));
  expect(await store.list()).toEqual([{ name: "x y+z.sealed", bytes: 5 }]);
  expect(await store.read("none")).toBeNull();
  const unknown = openStore({ ...offSite(), accessKeyId: "nobody" });
  await expect(unknown.list()).rejects.toThrow("The store could not list: 403 InvalidAccessKeyId.");
});
