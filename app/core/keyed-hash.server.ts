/** HMAC-SHA-256 under the session secrets: the first one signs, and all are accepted. */
import { createHmac } from "node:crypto";
import type { Env } from "./env.server.ts";

type Secrets = Pick<Env, "sessionSecrets">;

/** 43 characters of base64url, under the first secret. */
export function keyedHash({ sessionSecrets }: Secrets, text: string): string {
  return hashUnder(sessionSecrets[0], text);
}

/** As `keyedHash`, under each secret in the order they are listed: what was kept is one of them. */
export function keyedHashes({ sessionSecrets }: Secrets, text: string): string[] {
  return sessionSecrets.map((secret) => hashUnder(secret, text));
}

function hashUnder(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
