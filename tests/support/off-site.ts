/** The environment of copies that go to the sandbox's store. */
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

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
