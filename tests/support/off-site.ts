/** The environment of copies that go to the sandbox's store. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { makeDeps } from "./deps.ts";
import { fresh } from "./hooks.ts";
import { quickCopies } from "./quick-threads.ts";

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** Parts of full size are sent in off-site-wire.test.ts. */
export const PART_BYTES = 2 ** 20;

export function offSiteEnv({ origin, credentials }: Sandbox): Record<string, string> {
  return {
    BACKUP_S3_ENDPOINT: origin,
    BACKUP_S3_BUCKET: credentials.s3Bucket,
    BACKUP_S3_REGION: credentials.s3Region,
    BACKUP_S3_ACCESS_KEY_ID: credentials.s3AccessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: credentials.s3SecretAccessKey,
    BACKUP_S3_PREFIX: "here/",
    BACKUP_ENCRYPTION_KEY: ENCRYPTION_KEY,
  };
}

/** For each test: a sandbox with its store, and a file whose copies go there from `folder`. */
export function freshStore() {
  quickCopies();
  const sandbox = fresh(startSandbox, (made) => made.close());
  const test = fresh(
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "off-site-"));
      const quick = { WORKER_INTERVAL_MS: "10" };
      const made = await makeDeps({ ...offSiteEnv(sandbox), ...quick, BACKUP_DIR: folder });
      sandbox.s3.limits.leastPart = PART_BYTES;
      made.deps.env.backup.offSite!.partBytes = PART_BYTES;
      return { ...made, folder };
    },
    ({ close, folder }) => {
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  );
  return { test, sandbox };
}
