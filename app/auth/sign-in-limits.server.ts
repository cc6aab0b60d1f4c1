/**
 * How often passwords may be tried, counted per submitted name, known or not; a browser that has
 * signed in to the account before is counted by itself.
 */
import {
  type Counter,
  countersByEnv,
  type Key,
  type Taken,
  takeEach,
  takeOne,
} from "#app/core/counters.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/sha256.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import type { Failure } from "#app/model/outcome.ts";

const counters = countersByEnv({
  /** Failed sign-ins for a username from one client address. */
  pair: { points: 5, windowMs: 15 * MINUTE },
  /** Failed sign-ins from one client address. */
  address: { points: 30, windowMs: HOUR },
  /** The same in a day, each a line of the activity log. */
  addressDay: { points: 100, windowMs: DAY },
  /** Failed sign-ins for a username. */
  username: { points: 50, windowMs: DAY },
  /** Wrong passwords of a browser that has signed in before, or of a signed-in account. */
  known: { points: 5, windowMs: 15 * MINUTE },
  knownDay: { points: 50, windowMs: DAY },
  /** Right ones of an account, each a session and a line. */
  entered: { points: 200, windowMs: DAY },
});

const TOO_MANY_SIGN_INS = "Too many failed sign-ins. Please wait and try again.";

type LimitDeps = Pick<Deps, "env" | "now">;

/** Who signs in: an unknown browser, counted by address, or a known one, by its device id. */
export type Signer = { username: string; address: string } | { known: string };

/** A try is counted before the password is checked, so that many at once are counted too. */
export interface CountedSignIn extends Taken {
  /** Password and second factor were right: earlier failures from this client no longer count. */
  forgive(): void;
}

/** Counts a try as failed until it is given back or forgiven. Refusal: `rate_limited`. */
export function countSignIn({ env, now }: LimitDeps, who: Signer): CountedSignIn | Failure {
  if (!env.rateLimit) return { giveBack() {}, forgive() {} };
  const { pair, address, addressDay, username, known, knownDay } = counters(env);
  const wanted: [[Counter, Key], ...[Counter, Key][]] =
    "known" in who
      ? [
          [known, { about: who.known }],
          [knownDay, { about: who.known }],
        ]
      : [
          [pair, { from: who.address, about: nameKey(who.username) }],
          [address, { from: who.address }],
          [addressDay, { from: who.address }],
          [username, { about: nameKey(who.username) }],
        ];
  const taken = takeEach(wanted, now(), TOO_MANY_SIGN_INS);
  if ("ok" in taken) return taken;
  return {
    ...taken,
    forgive() {
      taken.giveBack();
      const [[counter, key]] = wanted;
      counter.forget(key);
    },
  };
}

/** Counts a right sign-in of an account. Refusal: `rate_limited`. */
export function countEntered({ env, now }: LimitDeps, accountId: string): Failure | null {
  if (!env.rateLimit) return null;
  const message = "This account has signed in too often today. Please use a session that is open.";
  return takeOne(counters(env).entered, { about: accountId }, now(), message);
}

/** True while strangers' tries have closed the name, wherever a stranger comes from. */
export function isClosed({ env, now }: LimitDeps, username: string): boolean {
  const taken = takeEach([[counters(env).username, { about: nameKey(username) }]], now(), "");
  if ("ok" in taken) return true;
  taken.giveBack();
  return false;
}

/** Names of any length cost the same memory. */
function nameKey(username: string): string {
  return sha256(username.trim().toLowerCase()).slice(0, 22);
}
