/**
 * By what it is known again with which keys the services outside were asked. Each answers hashes under
 * the session secrets: the first is kept, and what was kept is one of them while nothing has changed.
 */
import type { Env } from "./env.server.ts";
import { keyedHashes } from "./secrets.server.ts";

export function providerKeys(env: Pick<Env, "sessionSecrets" | "razorpay">): string[] {
  const { apiUrl, keyId, keySecret } = env.razorpay;
  return keyedHashes(env, JSON.stringify(["provider", apiUrl, keyId, keySecret]));
}

/** Of all that the doctor asks with. */
export function outsideKeys(env: Env): string[] {
  const { razorpay, smtpUrl, mailFrom, whatsapp, zoom, backup, publicUrl } = env;
  const values = [razorpay, smtpUrl, mailFrom, whatsapp, zoom, backup.offSite, publicUrl];
  return keyedHashes(env, JSON.stringify(["outside", ...values]));
}
