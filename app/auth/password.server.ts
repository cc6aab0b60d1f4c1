/** Password hashing with argon2id, off the main thread and a few at a time. */
import { hash, verify } from "@node-rs/argon2";
import { networksOf } from "#app/core/client-address.ts";
import { elsewhere } from "#app/core/turn.server.ts";

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
/** Of strangers from one small network. */
const MAY_WAIT_OF_NETWORK = 4;

/** Too many passwords wait to be checked; maps to 503 like a full document queue. */
export class PasswordBusy extends Error {
  override name = "PasswordBusy";
}

interface Waiting {
  /** Null for one we know. */
  network: string | null;
  begin: () => void;
}

let running = 0;
/** Known browsers wait in a queue of their own, which goes first. */
const known: Waiting[] = [];
const strangers: Waiting[] = [];

/** Of whom we know. Throws PasswordBusy. */
export function hashPassword(password: string): Promise<string> {
  return elsewhere(inTurn(null, () => hash(normal(password), COST)));
}

/**
 * `stored` null: takes the same work and answers false. `from` is a stranger's client address, null
 * for whom we know. Throws PasswordBusy.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  from: string | null = null,
): Promise<boolean> {
  const right = await elsewhere(inTurn(from, () => verify(stored ?? NOBODY, normal(password))));
  return right && stored !== null;
}

/** The same letters typed on another keyboard may come as other code points. */
function normal(password: string): string {
  return password.normalize("NFC");
}

async function inTurn<T>(from: string | null, work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await place(from);
  else running += 1;
  try {
    return await work();
  } finally {
    // The next in line gets this place directly.
    const next = known.shift() ?? strangers.shift();
    if (next) next.begin();
    else running -= 1;
  }
}

function place(from: string | null): Promise<void> {
  const queue = from === null ? known : strangers;
  const network = from === null ? null : (networksOf(from)[1] ?? from);
  const ofNetwork = strangers.filter((other) => other.network === network).length;
  if (queue.length >= MAY_WAIT || ofNetwork >= MAY_WAIT_OF_NETWORK) {
    throw new PasswordBusy("too many sign-ins at once");
  }
  return new Promise((begin) => queue.push({ network, begin }));
}
