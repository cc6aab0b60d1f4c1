/**
 * Hashes; and secrets at rest: AES-256-GCM (NIST SP 800-38D) under a key that HKDF (RFC 5869) makes of a
 * session secret. As text: `v1.` and base64url of nonce, ciphertext and tag.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { Env } from "./env.server.ts";

/** 43 characters of base64url. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Compares in constant time; hashes first, because texts may differ in length. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}

/** 43 characters of base64url under each secret: the first is stored, a stored one is one of these. */
export function keyedHashes(env: Pick<Env, "sessionSecrets">, text: string): string[] {
  const under = (secret: string) => createHmac("sha256", secret).update(text).digest("base64url");
  return env.sessionSecrets.map(under);
}

type Secrets = Env["sessionSecrets"];

/** Where a sealed text is stored: it does not open in any other place. */
export interface SealedPlace {
  /** What it is; each purpose has a key of its own. */
  purpose: string;
  row: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";
const ANY_VERSION = /^v\d+\./;

/** Seals with the first secret; the result differs each time. */
export function seal([secret]: Secrets, place: SealedPlace, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret, place), nonce).setAAD(boundTo(place));
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return VERSION + Buffer.concat(parts).toString("base64url");
}

/** The text, or null if none of the secrets opens it in this place. Never throws. */
export function open(
  secrets: readonly string[],
  place: SealedPlace,
  sealed: string,
): string | null {
  const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
  if (sealed !== VERSION + bytes.toString("base64url")) return null;
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  for (const secret of secrets) {
    const text = openUnder(secret, place, bytes);
    if (text !== null) return text;
  }
  return null;
}

/**
 * The stored text sealed with the first secret: unchanged if it is already, else sealed again from
 * another listed secret or from clear text. Null if no listed secret opens it.
 */
export function broughtUnderFirst(
  secrets: Secrets,
  place: SealedPlace,
  stored: string,
): string | null {
  if (!ANY_VERSION.test(stored)) return seal(secrets, place, stored);
  if (open([secrets[0]], place, stored) !== null) return stored;
  const text = open(secrets, place, stored);
  return text === null ? null : seal(secrets, place, text);
}

function openUnder(secret: string, place: SealedPlace, bytes: Buffer): string | null {
  const decipher = createDecipheriv(CIPHER, keyOf(secret, place), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    // The authentication tag does not match: changed, moved, or under another secret.
    return null;
  }
}

function keyOf(secret: string, { purpose }: SealedPlace): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `sealed:${purpose}`, 32));
}

function boundTo({ purpose, row }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([purpose, row]));
}
