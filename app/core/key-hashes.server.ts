/**
 * Tells whether outside services are still asked with the same keys, without storing the keys. Each
 * function answers a hash under every session secret: the first is stored, and while nothing has
 * changed the stored one is among them.
 */
import type { Env } from "./env.server.ts";
import { keyedHashes } from "./secrets.server.ts";

export function providerKeyHashes(env: Pick<Env, "sessionSecrets" | "razorpay">): string[] {
  const { apiUrl, keyId, keySecret } = env.razorpay;
  return keyedHashes(env, JSON.stringify(["provider", apiUrl, keyId, keySecret]));
}

/** Hashes of all keys and addresses that the doctor uses. */
export function outsideKeyHashes(env: Env): string[] {
  const { razorpay, smtpUrl, mailFrom, whatsapp, zoom, backup, publicUrl } = env;
  const values = [razorpay, smtpUrl, mailFrom, whatsapp, zoom, backup.offSite, publicUrl];
  return keyedHashes(env, JSON.stringify(["outside", ...values]));
}
