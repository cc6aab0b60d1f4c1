/**
 * The limits of decision 27, counted per submitted name or address, known or not. They are kept in
 * memory: one process serves, and a stranger's guess is not to cost a write. A restart forgives.
 */
import { createHash } from "node:crypto";
import { addressKey } from "#app/http/client-address.ts";
import type { Env } from "#app/lib/env.server.ts";
import type { Failure } from "#app/lib/outcome.ts";
import { limitersByEnv, takeOne, tooMany } from "#app/lib/rate-limiter.server.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds are the width of the window that opens with the first try. */
const LIMITS = {
  /** Failed sign-ins for a username from one client address. */
  pair: { points: 5, duration: 15 * MINUTE },
  /** Failed sign-ins from one client address. */
  address: { points: 30, duration: HOUR },
  /** Failed sign-ins for a username. */
  username: { points: 50, duration: DAY },
  /**
   * Wrong codes for an e-mail address from one client address: a stranger's address ends well
   * before the e-mail's total, which would stop the owner too.
   */
  codesFrom: { points: 10, duration: DAY },
  /** Wrong codes for an e-mail address, over all its codes: so that no month of guessing helps. */
  codes: { points: 50, duration: DAY },
  /** Calls of the reset flow from one client address. */
  resets: { points: 60, duration: MINUTE },
} as const;

const limiters = limitersByEnv(LIMITS);

const TOO_MANY_CODES = "Too many wrong codes today. Please try again tomorrow.";
const TOO_MANY_SIGN_INS = "Too many failed sign-ins. Please wait and try again.";

/** A try is counted before the password is checked, so that many at once are counted too. */
export interface CountedSignIn {
  /** Nothing was guessed: what this try counted is taken back, and what failed before stays. */
  takeBack(): Promise<void>;
  /** Everything was right, a second factor too: what failed from this address is forgotten. */
  forgive(): Promise<void>;
}

/** Counts a try as failed until it is taken back or forgiven. Refusal: `rate_limited`. */
export async function countSignIn(
  env: Env,
  who: { username: string; address: string },
): Promise<CountedSignIn | Failure> {
  if (!env.rateLimit) return { takeBack: async () => {}, forgive: async () => {} };
  const { pair, address, username } = limiters(env);
  const from = addressKey(who.address);
  const name = keyOf(who.username);
  const both = `${from} ${name}`;
  const refusal =
    (await takeOne(pair, both, TOO_MANY_SIGN_INS)) ??
    (await takeOne(address, from, TOO_MANY_SIGN_INS)) ??
    (await takeOne(username, name, TOO_MANY_SIGN_INS));
  if (refusal) return refusal;
  return {
    async takeBack() {
      await Promise.all([pair.reward(both), address.reward(from), username.reward(name)]);
    },
    async forgive() {
      await Promise.all([pair.delete(both), address.reward(from), username.reward(name)]);
    },
  };
}

/** After a reset by mail the day's count for the name is over: the owner has shown up. */
export async function forgetFailedSignIns(env: Env, username: string): Promise<void> {
  await limiters(env).username.delete(keyOf(username));
}

/** Counts a call of the reset flow. Refusal: `rate_limited`. */
export async function countResetCall(env: Env, clientAddress: string): Promise<Failure | null> {
  if (!env.rateLimit) return null;
  const message = "Too many tries from your network. Please wait a minute and try again.";
  return takeOne(limiters(env).resets, addressKey(clientAddress), message);
}

/** Who tries a code. */
interface CodeTry {
  /** Of the e-mail address as submitted. */
  emailKey: string;
  clientAddress: string;
}

/** Refusal (`rate_limited`) once either of them had its day's share of wrong codes. Counts nothing. */
export async function refuseMoreCodes(env: Env, tried: CodeTry): Promise<Failure | null> {
  if (!env.rateLimit) return null;
  const { codesFrom, codes } = limiters(env);
  const own = await codesFrom.get(fromOf(tried));
  if (own && own.consumedPoints >= LIMITS.codesFrom.points) return tooMany(TOO_MANY_CODES, own);
  const all = await codes.get(tried.emailKey);
  if (all && all.consumedPoints >= LIMITS.codes.points) return tooMany(TOO_MANY_CODES, all);
  return null;
}

export async function countWrongCode(env: Env, tried: CodeTry): Promise<void> {
  if (!env.rateLimit) return;
  const { codesFrom, codes } = limiters(env);
  await Promise.all([codesFrom.penalty(fromOf(tried)), codes.penalty(tried.emailKey)]);
}

const fromOf = ({ emailKey, clientAddress }: CodeTry) => `${addressKey(clientAddress)} ${emailKey}`;

/** Names of any length cost the same memory. */
function keyOf(username: string): string {
  return createHash("sha256")
    .update(username.trim().toLowerCase())
    .digest("base64url")
    .slice(0, 22);
}
