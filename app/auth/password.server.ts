/** Password hashing with argon2id, off the main thread and a few at a time. */
import { hash, verify } from "@node-rs/argon2";
import { networksOf } from "#app/core/client-address.ts";
import { WorkQueue } from "#app/core/work-queue.server.ts";
import { newId } from "#app/model/ids.ts";

/** Above the OWASP minimum for argon2id; argon2id is the library's default. */
const COST = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

/** The hash of nothing anybody knows, made with COST: unknown users take the same work. */
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

/**
 * `stored` null: takes the same work and answers false. `from` is a stranger's client address, null
 * for whom we know. Rejects as a queue's `run`.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  from: string | null = null,
): Promise<boolean> {
  const right = await inQueue(from, () => verify(stored ?? NOBODY, normal(password)));
  return right && stored !== null;
}

/** The same letters typed on another keyboard may come as other code points. */
function normal(password: string): string {
  return password.normalize("NFC");
}

function inQueue<T>(from: string | null, begin: () => Promise<T>): Promise<T> {
  if (from === null) return queue.run({ owner: newId(), isFirst: true, begin });
  return queue.run({ owner: networksOf(from)[1] ?? from, begin });
}
