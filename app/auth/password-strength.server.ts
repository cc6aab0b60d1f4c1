/** Asks a thread of its own, which ends when idle, how soon a password is guessed. */
import type { Piscina } from "piscina";
import { threadFile } from "#app/core/thread-file.server.ts";
import { openPool } from "#app/core/thread-pool.server.ts";
import type { PasswordJob } from "./password-thread.ts";

let pool: Piscina<PasswordJob, boolean> | undefined;

/** `ownWords`: those of the person, such as a name or an address. */
export async function isWeakPassword(
  password: string,
  ownWords: readonly string[],
): Promise<boolean> {
  pool ??= openPool(threadFile(import.meta.url, "password-thread", "./password-thread.ts"), {
    memoryMb: 128,
  });
  return pool.run({ password, ownWords });
}
