/** A big file leaves the machine: what is sent passes through, and does not gather in memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrate, openDb } from "#db/connection.server.ts";
import { residentMiB } from "#tests/support/crowd.ts";
import { forgetPowerCuts } from "#tests/support/fresh-db.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";

const MIB = 2 ** 20;
/** Of rows that compress to nothing smaller, the small file and the big one. */
const SIZES = [20, 240];
/** What one may take more than the other, MiB: the allocator's mood, and no more. */
const MOST_MORE = 60;
const LONGEST_MS = 300_000;

const sandbox = sharedSandbox();
const folder = scratchFolder();

async function fileOf(mib: number): Promise<string> {
  const path = join(folder, `${mib}.db`);
  const db = openDb(path);
  forgetPowerCuts(db);
  await migrate(db);
  const put = db.driver.prepare(
    "INSERT INTO setting (key, value) VALUES (?, CAST(randomblob(?) AS TEXT))",
  );
  db.driver.transaction(() => {
    for (let n = 0; n < mib; n++) put.run(`ballast ${n}`, MIB);
  })();
  db.close();
  return path;
}

/** The highest resident memory of `npm run backup` over the file, MiB, looked at all the time. */
async function highest(path: string): Promise<number> {
  const child = spawn(process.execPath, ["scripts/backup.ts"], {
    env: {
      ...process.env,
      ...offSiteEnv(sandbox),
      DATABASE_PATH: path,
      BACKUP_DIR: `${path}-copies`,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  let most = 0;
  const look = setInterval(() => {
    const { pid } = child;
    if (existsSync(`/proc/${pid}/status`)) most = Math.max(most, residentMiB(pid!) || 0);
  }, 20);
  const [status] = await once(child, "exit");
  clearInterval(look);
  expect(status).toBe(0);
  return most;
}

it.skipIf(process.platform !== "linux")(
  "memory is as flat with twelve times the file",
  async () => {
    const taken: number[] = [];
    for (const mib of SIZES) {
      const path = await fileOf(mib);
      taken.push(await highest(path));
      const sent = [...sandbox.s3.objects.values()].reduce((sum, { length }) => sum + length, 0);
      expect(sent).toBeGreaterThan(0.9 * mib * MIB);
      sandbox.s3.clear();
    }
    const [small, big] = taken.map(Math.round);
    console.log(
      `highest resident memory: ${SIZES[0]} MiB sent ${small} MiB, ${SIZES[1]} MiB sent ${big} MiB`,
    );
    expect(big! - small!).toBeLessThan(MOST_MORE);
  },
  LONGEST_MS,
);
