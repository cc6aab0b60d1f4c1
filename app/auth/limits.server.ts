/**
 * How often passwords and mailed codes may be tried, counted by submitted name or address, known or
 * not. A browser that has signed in to the account before is counted separately.
 */
import {
  type Counter,
  countersByEnv,
  type Key,
  type Taken,
  takeEach,
  takeOne,
} from "#app/core/counters.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { type Failure, failure } from "#app/model/outcome.ts";
import type { CodeKey } from "#db/queries/admins.server.ts";

const counters = countersByEnv({
  /** Failed sign-ins for a username from one client address. */
  pair: { points: 5, windowMs: 15 * MINUTE },
  /** Failed sign-ins from one client address. */
  address: { points: 30, windowMs: HOUR },
  /** The same in a day; each is a line of the activity log. */
  addressDay: { points: 100, windowMs: DAY },
  /** Failed sign-ins for a username. */
  username: { points: 50, windowMs: DAY },
  /** Wrong passwords of a browser that has signed in before, or of a signed-in account. */
  known: { points: 5, windowMs: 15 * MINUTE },
  knownDay: { points: 50, windowMs: DAY },
  /** Successful sign-ins of an account; each is a session and a line of the activity log. */
  entered: { points: 200, windowMs: DAY },
});

const TOO_MANY_SIGN_INS = "Too many failed sign-ins. Please wait and try again.";

type LimitDeps = Pick<Deps, "env" | "now">;

/** Who signs in: an unknown browser, counted by address, or a known one, by its device id. */
export type Signer = { username: string; address: string } | { known: string };

/** A try is counted before the password is checked, so that concurrent tries count too. */
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
      ? both(known, knownDay, { about: who.known })
      : [
          [pair, { from: who.address, about: nameKey(who.username) }],
          ...both(address, addressDay, { from: who.address }),
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

const both = (short: Counter, long: Counter, key: Key): [[Counter, Key], [Counter, Key]] => [
  [short, key],
  [long, key],
];

/** Counts a successful sign-in. Refusal: `rate_limited`. */
export function countEntered(deps: LimitDeps, accountId: string): Failure | null {
  const message = "This account has signed in too often today. Please use a session that is open.";
  return takeOne(deps, counters(deps.env).entered, { about: accountId }, message);
}

/** True while too many failed sign-ins keep unknown browsers out of the account. */
export function isClosed({ env, now }: LimitDeps, username: string): boolean {
  const taken = takeEach([[counters(env).username, { about: nameKey(username) }]], now(), "");
  if ("ok" in taken) return true;
  taken.giveBack();
  return false;
}

/** Of fixed length, so that long names take no more memory. */
function nameKey(username: string): string {
  return sha256(username.trim().toLowerCase()).slice(0, 22);
}

export const CODE_LIFE_MS = 10 * MINUTE;

const callLimits = countersByEnv({
  /** Calls of the reset flow from one client address. */
  resets: { points: 60, windowMs: MINUTE },
});

const codeLimits = {
  /** Requests for a code, sent or not: more are a flood. */
  asked: { points: 10, windowMs: HOUR },
  sent: { points: 3, windowMs: HOUR },
  sentDay: { points: 10, windowMs: DAY },
  /** Wrong tries of one code from one client address. */
  codeTries: { points: 5, windowMs: CODE_LIFE_MS },
  /** Wrong tries of all codes of an account, so that guessing for a month does not help. */
  wrongCodes: { points: 50, windowMs: DAY },
};
const strangersCodes = countersByEnv(codeLimits);
/** The same limits for known browsers, counted apart so that strangers cannot fill them. */
const knownCodes = countersByEnv(codeLimits);

const codeCounters = (env: Env, { device }: CodeKey) =>
  device === "" ? strangersCodes(env) : knownCodes(env);

const TOO_MANY_CALLS = "Too many tries from your network. Please wait a minute and try again.";
const TOO_MANY_CODES = "Too many wrong codes today. Please try again tomorrow.";
const TOO_MANY_TRIES =
  "Too many wrong codes. You can ask for a new one when the ten minutes of this one are over.";

/** Counts a call of the reset flow. Refusal: `rate_limited`. */
export function countResetCall(
  deps: LimitDeps,
  { address, device }: Pick<Client, "address" | "device">,
): Failure | null {
  const key = device ? { about: device.id } : { from: address };
  return takeOne(deps, callLimits(deps.env).resets, key, TOO_MANY_CALLS);
}

const keyOf = ({ emailKey, device }: CodeKey) => `${emailKey} ${device}`;

/** Counts a request for a code, sent or not; true if there are too many in the hour. */
export function isFlood(deps: LimitDeps, code: CodeKey): boolean {
  return takeOne(deps, codeCounters(deps.env, code).asked, { about: keyOf(code) }, "") !== null;
}

/** Counts a code to be sent; false once the limit of the hour or the day is reached. */
export function maySend({ env, now }: LimitDeps, code: CodeKey): boolean {
  if (!env.rateLimit) return true;
  const { sent, sentDay } = codeCounters(env, code);
  return !("ok" in takeEach(both(sent, sentDay, { about: keyOf(code) }), now(), ""));
}

/**
 * Counts a try of the code sent at `sentAt` as wrong until it is given back. The tries of one code
 * are limited even where rate limits are off. Refusal: `rate_limited`.
 */
export function countCodeTry(
  { env, now }: LimitDeps,
  code: CodeKey,
  { address, sentAt }: { address: string; sentAt: number },
): Taken | Failure {
  const { codeTries, wrongCodes } = codeCounters(env, code);
  const key: Key = { about: `${keyOf(code)} ${sentAt}` };
  if (code.device === "") key.from = address;
  const tries = takeEach([[codeTries, key]], now(), TOO_MANY_TRIES);
  if ("ok" in tries || !env.rateLimit) return tries;
  const all = takeEach([[wrongCodes, { about: keyOf(code) }]], now(), TOO_MANY_CODES);
  if ("ok" in all) {
    tries.giveBack();
    return all;
  }
  return {
    giveBack() {
      tries.giveBack();
      all.giveBack();
    },
  };
}

/** Refuses a code with too many wrong tries from all addresses; it expires in `ms`. */
export function codeUsedUp(ms: number): Failure {
  return failure("rate_limited", TOO_MANY_TRIES, { retryAfter: Math.max(1, ms / 1000) });
}
