/** Password hashing with argon2id, off the main thread and a few at a time. */
import { hash, verify } from "@node-rs/argon2";

/** Above the OWASP minimum for argon2id; argon2id is the library's default. */
const COST = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

/** The hash of nothing anybody knows, made with COST: unknown users take the same work. */
const NOBODY =
  "$argon2id$v=19$m=32768,t=3,p=1$Nl5fgZOSYSRKxOxhjt/4Hw$f0xCRPj3UKVT2Dlm4wSf+HapaWmpXTeFsUzVcSqIpHY";

/**
 * Hashing takes a thread of Node's small pool, which files and compression use too, and 32 MB. A
 * flood of sign-ins waits here and then is turned away; visitors never feel it.
 */
const AT_ONCE = 2;
const MAY_WAIT = 40;

/** Too many passwords wait to be checked; maps to 503 like a full document queue. */
export class PasswordBusy extends Error {
  override name = "PasswordBusy";
}

let running = 0;
const waiting: (() => void)[] = [];

/** Throws PasswordBusy. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), COST));
}

/** `stored` null: takes the same work and answers false. Throws PasswordBusy. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await inTurn(() => verify(stored ?? NOBODY, normal(password)));
  return right && stored !== null;
}

/** The same letters typed on another keyboard may come as other code points. */
function normal(password: string): string {
  return password.normalize("NFC");
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAY_WAIT) throw new PasswordBusy("too many sign-ins at once");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    // The place is handed on, not freed and fought for.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
