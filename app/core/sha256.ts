import { createHash } from "node:crypto";

/** 43 characters of base64url. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}
