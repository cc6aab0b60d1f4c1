/** Passwords: hashed with argon2id off the main thread, a few at a time; weak ones are refused. */
import { hash, verify } from "@node-rs/argon2";
import type { Piscina } from "piscina";
import { networksOf } from "#app/core/client-address.ts";
import type { Taken } from "#app/core/counters.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { openPool } from "#app/core/thread-pool.server.ts";
import { threadFile } from "#app/core/threads.server.ts";
import { QueueFull, WorkQueue } from "#app/core/work-queue.server.ts";
import { newId } from "#app/model/ids.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import type { PasswordJob } from "./password-thread.ts";
import type { AdminIdentity } from "./session.server.ts";

/** Above the OWASP minimum for argon2id; argon2id is the library's default. */
const COST = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

/** The hash of a password nobody knows, made with COST, so that an unknown user takes the same work. */
const NOBODY =
  "$argon2id$v=19$m=32768,t=3,p=1$Nl5fgZOSYSRKxOxhjt/4Hw$f0xCRPj3UKVT2Dlm4wSf+HapaWmpXTeFsUzVcSqIpHY";

/**
 * Hashing takes 32 MB and a thread of Node's small pool, which files and compression use too. A
 * flood of sign-ins waits here and is then turned away, unnoticed by visitors. Unknown clients of
 * one small network share an owner; known browsers and accounts go first.
 */
const queue = new WorkQueue({ atOnce: 2, mostWaiting: 40, mostOfOwner: 4 });

/** Goes ahead of unknown clients. Rejects like `WorkQueue.run`. */
export function hashPassword(password: string): Promise<string> {
  return inQueue(null, () => hash(normal(password), COST));
}

interface Try {
  /** The address of an unknown client; null for a known browser or account. */
  from?: string | null;
  /** Given back if the check never began: the queue was full, or the waiting client hung up. */
  counted?: Taken;
}

/** With `stored` null, takes the same work and returns false. Rejects like `WorkQueue.run`. */
export async function verifyPassword(
  stored: string | null,
  password: string,
  { from = null, counted }: Try = {},
): Promise<boolean> {
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    return verify(stored ?? NOBODY, normal(password));
  };
  try {
    const right = await inQueue(from, begin);
    return right && stored !== null;
  } catch (error) {
    // Once the check has begun, the guess counts even if the client hangs up.
    if (!isBegun) counted?.giveBack();
    throw error;
  }
}

/** Another keyboard may produce other code points for the same letters. */
function normal(password: string): string {
  return password.normalize("NFC");
}

function inQueue<T>(from: string | null, begin: () => Promise<T>): Promise<T> {
  if (from === null) return queue.run({ owner: newId(), isFirst: true, begin });
  return queue.run({ owner: networksOf(from)[1] ?? from, begin });
}

const BUSY = failure(
  "unavailable",
  "Too many people are signing in right now. Please try again in a moment.",
  { retryAfter: 5 },
);

/** Waits for work in a queue. Refusal: `unavailable` if the queue is full. */
export async function orBusy<T>(queued: Promise<T>): Promise<Outcome<T>> {
  try {
    return success(await queued);
  } catch (error) {
    if (error instanceof QueueFull) return BUSY;
    throw error;
  }
}

let pool: Piscina<PasswordJob, boolean> | undefined;

const estimates = new WorkQueue({ mostWaiting: 40, mostOfOwner: 4 });

/** Rejects with QueueFull. `ownWords`: the person's own, such as the username. */
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
  return estimates.run({ owner: ownWords.join(" "), begin });
}

const WEAK = "This password is among the first that anybody would try. Please choose another one.";

/** The hash of a new password. Refusals: `validation_failed` (a weak password), `unavailable`. */
export async function hashNewPassword(
  { env }: Pick<Deps, "env">,
  { username, email }: Pick<AdminIdentity, "username" | "email">,
  newPassword: string,
): Promise<Outcome<string>> {
  const weak = await orBusy(isWeakPassword(newPassword, [username, email, env.business.name]));
  if (!weak.ok) return weak;
  return weak.value ? invalid({ newPassword: [WEAK] }) : orBusy(hashPassword(newPassword));
}
