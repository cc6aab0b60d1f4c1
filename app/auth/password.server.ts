/** Passwords: hashed with argon2id, off the main thread and a few at a time, and refused if soon guessed. */
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

/**
 * The hash of a password that nobody knows, made with COST, so that unknown users take the same
 * work.
 */
const NOBODY =
  "$argon2id$v=19$m=32768,t=3,p=1$Nl5fgZOSYSRKxOxhjt/4Hw$f0xCRPj3UKVT2Dlm4wSf+HapaWmpXTeFsUzVcSqIpHY";

/**
 * Hashing takes a thread of Node's small pool, which files and compression use too, and 32 MB. A
 * flood of sign-ins waits here and then is turned away; visitors never feel it. Strangers of one
 * small network are one owner; whom we know goes first.
 */
const queue = new WorkQueue({ atOnce: 2, mostWaiting: 40, mostOfOwner: 4 });

/** Of whom we know. Rejects as a queue's `run`. */
export function hashPassword(password: string): Promise<string> {
  return inQueue(null, () => hash(normal(password), COST));
}

interface Try {
  /** A stranger's client address; null for whom we know. */
  from?: string | null;
  /** Given back if the check never began: the queue was full, or the client hung up while waiting. */
  counted?: Taken;
}

/** `stored` null: takes the same work and answers false. Rejects as a queue's `run`. */
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
    // A client that hangs up later has had its guess.
    if (!isBegun) counted?.giveBack();
    throw error;
  }
}

/** The same letters typed on another keyboard may come as other code points. */
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

/** What is made of a password in a queue. Refusal: `unavailable` where the queue is full. */
export async function orBusy<T>(made: Promise<T>): Promise<Outcome<T>> {
  try {
    return success(await made);
  } catch (error) {
    if (error instanceof QueueFull) return BUSY;
    throw error;
  }
}

let pool: Piscina<PasswordJob, boolean> | undefined;

const estimates = new WorkQueue({ mostWaiting: 40, mostOfOwner: 4 });

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
  return estimates.run({ owner: ownWords.join(" "), begin });
}

const WEAK = "This password is among the first that anybody would try. Please choose another one.";

/** What is stored of a new password. Refusals: `validation_failed` (a weak one), `unavailable`. */
export async function hashNewPassword(
  { env }: Pick<Deps, "env">,
  { username, email }: Pick<AdminIdentity, "username" | "email">,
  newPassword: string,
): Promise<Outcome<string>> {
  const weak = await orBusy(isWeakPassword(newPassword, [username, email, env.business.name]));
  if (!weak.ok) return weak;
  return weak.value ? invalid({ newPassword: [WEAK] }) : orBusy(hashPassword(newPassword));
}
