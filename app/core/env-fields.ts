/** How variables of the environment are read. Pure. */
import { z } from "zod";

export const text = (fallback = "") => z.string().default(fallback);

export const ruled = (holds: (text: string) => boolean, says: string, fallback = "") =>
  z.string().refine(holds, says).default(fallback);

export const shaped = (pattern: RegExp, says = "has a wrong form", fallback = "") =>
  ruled((text) => pattern.test(text), says, fallback);

/** Sums of instants stay exact with it, in whatever unit. */
const MOST = 1_000_000_000;

export function number(
  fallback: number,
  min = Number.MIN_VALUE,
  { max = Number.MAX_VALUE, isWhole = false } = {},
) {
  const end = max === Number.MAX_VALUE ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be a number ${min === Number.MIN_VALUE ? "above 0" : end}`;
  const fits = (value: number) => value >= min && value <= max;
  const isRight = (value: number) => !isWhole || !fits(value) || Number.isInteger(value);
  const whole = "must be a whole number";
  return z.coerce
    .number({ error })
    .refine(fits, error)
    .refine(isRight, whole)
    .refine((value) => value <= MOST, `must be at most ${MOST}`)
    .default(fallback);
}

export const integer = (fallback: number, min: number, max?: number) =>
  number(fallback, min, { max, isWhole: true });

const ADDRESS = String.raw`[^\s@<>,;:"\\]+@[^\s@<>,;:"\\]+`;
const NAME = String.raw`"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^"<>@]*?)`;
const MAILBOX = new RegExp(
  `^(?:(?:${NAME})\\s*<\\s*(?<named>${ADDRESS})\\s*>|(?<alone>${ADDRESS}))$`,
);

/** Reads `a@b`, `Name <a@b>` and `"Name" <a@b>`, the name empty where there is none; null for anything else. */
export function mailboxOf(text: string): { name: string; address: string } | null {
  const found = MAILBOX.exec(text.trim())?.groups;
  if (!found) return null;
  const { quoted, plain, named, alone } = found;
  const name = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
  return { name, address: named ?? alone ?? "" };
}

export const mailbox = ruled(
  (text) => mailboxOf(text) !== null,
  "must be an address, or Name <address>",
);

export const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const listOf = (secrets: string) => secrets.split(",").map((secret) => secret.trim());

export const urlOf = (address: string) => (URL.canParse(address) ? new URL(address) : null);

export const isSafe = ({ protocol, hostname }: URL) =>
  protocol === "https:" || isLoopbackHost(hostname);

export const publicUrl = z.string().superRefine((address, { addIssue }) => {
  const url = urlOf(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return addIssue("must be an https address like https://book.example.in");
  }
  if (!isSafe(url)) addIssue("must be https (http only on loopback)");
  if (url.pathname !== "/" || url.search || url.hash) addIssue("must be an origin without a path");
});

export const smtpUrl = z.string().superRefine((address, { addIssue }) => {
  if (!/^smtps?:\/\/[^/]/i.test(address)) return addIssue("must be smtps://… or smtp://…");
  const url = urlOf(address);
  // A / # ? in the password would end the host before the @.
  const isHostLast = url !== null && /^\/?$/.test(url.pathname + url.search + url.hash);
  if (!isHostLast || unescaped(url.username) === null || unescaped(url.password) === null) {
    addIssue(
      "must be like smtps://user:password@host, with / # ? @ % of user and password written as %2F %23 %3F %40 %25",
    );
  }
});

/** A part of an address as it is meant; null if one of its % begins no escaped character. */
export function unescaped(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** A site that only its own machine reaches: one that is tried out. */
export const isLoopbackSite = ({ publicUrl }: { publicUrl: string }) =>
  isLoopbackHost(new URL(publicUrl).hostname);

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
  BACKUP_S3_AFTER_SECONDS: number(300, 0),
};

/** Set all or none. */
export const OFF_SITE_GROUP = [
  "BACKUP_S3_ENDPOINT",
  "BACKUP_S3_BUCKET",
  "BACKUP_S3_REGION",
  "BACKUP_S3_ACCESS_KEY_ID",
  "BACKUP_S3_SECRET_ACCESS_KEY",
  "BACKUP_ENCRYPTION_KEY",
] as const;

/** Null: copies stay on the machine. */
export function offSiteOf(
  given: z.output<z.ZodObject<typeof offSiteVariables>> & { WORKER_INTERVAL_MS: number },
) {
  if (OFF_SITE_GROUP.some((name) => !given[name])) return null;
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
    /** Seconds after money moved; 0: by schedule only. */
    afterSeconds: given.BACKUP_S3_AFTER_SECONDS,
    /** Between two tries of one call, in milliseconds. */
    pauseMs: given.WORKER_INTERVAL_MS,
    /** Stores take no parts under 5 MiB, except the last one. */
    partBytes: 8 * 2 ** 20,
  };
}

const ZOOM = { api: "https://api.zoom.us/v2", oauth: "https://zoom.us/oauth/token" };
export const ZOOM_GROUP = ["ZOOM_ACCOUNT_ID", "ZOOM_CLIENT_ID", "ZOOM_CLIENT_SECRET"] as const;

const zoomUrl = (real: string) =>
  ruled(
    (address) => {
      const url = urlOf(address);
      const isLoopback =
        url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname);
      return url?.origin === new URL(real).origin || isLoopback;
    },
    "must be Zoom’s https address (another host only on loopback)",
    real,
  );

export const zoomVariables = {
  ZOOM_ACCOUNT_ID: text(),
  ZOOM_CLIENT_ID: text(),
  ZOOM_CLIENT_SECRET: text(),
  ZOOM_API_URL: zoomUrl(ZOOM.api),
  ZOOM_OAUTH_URL: zoomUrl(ZOOM.oauth),
};

/** Null: no rooms are made there. */
export function zoomOf(given: Record<keyof typeof zoomVariables, string>) {
  if (ZOOM_GROUP.some((name) => !given[name])) return null;
  return {
    accountId: given.ZOOM_ACCOUNT_ID,
    clientId: given.ZOOM_CLIENT_ID,
    clientSecret: given.ZOOM_CLIENT_SECRET,
    apiUrl: given.ZOOM_API_URL.replace(/\/$/, ""),
    oauthUrl: given.ZOOM_OAUTH_URL,
  };
}

/** The domain of MAIL_FROM, which follows `@` in the UID of calendar events. */
export function eventDomain(mailFrom: string): string {
  return /@([^\s@<>]+)>?\s*$/.exec(mailFrom)?.[1] ?? "localhost";
}
