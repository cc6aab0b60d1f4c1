/** Where copies go off the machine: all of these variables or none. */
import { isSafe, number, ruled, shaped, text, urlOf } from "./env-fields.ts";

const KEY_BYTES = 32;
const keyOf = (base64: string) => Buffer.from(base64, "base64");

export const offSiteVariables = {
  BACKUP_S3_ENDPOINT: ruled((address) => {
    const url = urlOf(address);
    return url !== null && /^https?:$/.test(url.protocol) && isSafe(url) && url.pathname === "/";
  }, "must be an https address without a path (http only on loopback)"),
  BACKUP_S3_BUCKET: shaped(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket"),
  BACKUP_S3_REGION: text(),
  BACKUP_S3_ACCESS_KEY_ID: text(),
  BACKUP_S3_SECRET_ACCESS_KEY: text(),
  BACKUP_ENCRYPTION_KEY: ruled(
    (key) => keyOf(key).length === KEY_BYTES,
    "must be 32 bytes in base64, for example of: openssl rand -base64 32",
  ),
  BACKUP_S3_PREFIX: shaped(/^[\w./-]*$/, "may have letters, digits and . _ - / only"),
  BACKUP_S3_EVERY_HOURS: number(1),
  BACKUP_S3_KEEP_DAYS: number(30),
};

const GROUP = [
  "BACKUP_S3_ENDPOINT",
  "BACKUP_S3_BUCKET",
  "BACKUP_S3_REGION",
  "BACKUP_S3_ACCESS_KEY_ID",
  "BACKUP_S3_SECRET_ACCESS_KEY",
  "BACKUP_ENCRYPTION_KEY",
] as const;

type Given = Record<(typeof GROUP)[number] | "BACKUP_S3_PREFIX", string> &
  Record<"BACKUP_S3_EVERY_HOURS" | "BACKUP_S3_KEEP_DAYS", number>;

/** Those that a half set group lacks. */
export function missingOffSite(given: Given): (typeof GROUP)[number][] {
  const missing = GROUP.filter((name) => !given[name]);
  return missing.length < GROUP.length ? missing : [];
}

/** Null: copies stay on the machine. */
export function offSiteOf(given: Given) {
  if (GROUP.some((name) => !given[name])) return null;
  return {
    endpoint: given.BACKUP_S3_ENDPOINT.replace(/\/$/, ""),
    bucket: given.BACKUP_S3_BUCKET,
    region: given.BACKUP_S3_REGION,
    accessKeyId: given.BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: given.BACKUP_S3_SECRET_ACCESS_KEY,
    encryptionKey: keyOf(given.BACKUP_ENCRYPTION_KEY),
    prefix: given.BACKUP_S3_PREFIX,
    everyHours: given.BACKUP_S3_EVERY_HOURS,
    keepDays: given.BACKUP_S3_KEEP_DAYS,
  };
}
