/** Asks a thread of its own, which ends when idle, how soon a password is guessed. */
import type { Piscina } from "piscina";
import { threadFile } from "#app/core/thread-file.server.ts";
import { openPool } from "#app/core/thread-pool.server.ts";
import { WorkQueue } from "#app/core/work-queue.server.ts";
import type { PasswordJob } from "./password-thread.ts";

let pool: Piscina<PasswordJob, boolean> | undefined;

const queue = new WorkQueue({ mostWaiting: 40, mostOfOwner: 4 });

/** Rejects with QueueFull. `ownWords`: those of the person, such as a name or an address. */
export async function isWeakPassword(
  password: string,
  ownWords: readonly string[],
): Promise<boolean> {
  const begin = (signal: AbortSignal) => {
    pool ??= openPool(threadFile(import.meta.url, "password-thread", "./password-thread.ts"), {
      memoryMb: 128,
    });
    return pool.run({ password, ownWords }, { signal });
  };
  return queue.run({ owner: ownWords.join(" "), begin });
}
