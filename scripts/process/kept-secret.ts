/** Secrets made once for this machine and kept beside its data, readable by their owner alone. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The secret kept at `path`; at the first call it is made from `bytes` random bytes. */
export function keptSecret(path: string, bytes: number): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    // Refuses an existing file, so that two first calls at once agree on one secret.
    writeFileSync(path, `${randomBytes(bytes).toString("base64url")}\n`, {
      mode: 0o600,
      flag: "wx",
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
