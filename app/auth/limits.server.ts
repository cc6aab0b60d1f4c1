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
  /** Wrong codes for an e-mail address, over all its codes: so that no month of guessing helps. */
  codes: { points: 50, duration: DAY },
  /** Calls of the reset flow from one client address. */
  resets: { points: 60, duration: MINUTE },
} as const;

const limiters = limitersByEnv(LIMITS);

const TOO_MANY_SIGN_INS = "Too many failed sign-ins. Please wait and try again.";

/** A try is counted before the password is checked, so that many at once are counted too. */
export interface CountedSignIn {
  /** The sign-in was right: what it counted is taken back. */
  forgive(): Promise<void>;
}

/** Counts a sign-in as failed until it is forgiven. Refusal: `rate_limited`. */
export async function countSignIn(
  env: Env,
  who: { username: string; address: string },
): Promise<CountedSignIn | Failure> {
  if (!env.rateLimit) return { forgive: async () => {} };
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

/** Refusal (`rate_limited`) if an address had its day's share of wrong codes. Counts nothing. */
export async function refuseMoreCodes(env: Env, emailKey: string): Promise<Failure | null> {
  if (!env.rateLimit) return null;
  const state = await limiters(env).codes.get(emailKey);
  if (!state || state.consumedPoints < LIMITS.codes.points) return null;
  return tooMany("Too many wrong codes today. Please try again tomorrow.", state);
}

export async function countWrongCode(env: Env, emailKey: string): Promise<void> {
  if (env.rateLimit) await limiters(env).codes.penalty(emailKey);
}

/** Names of any length cost the same memory. */
function keyOf(username: string): string {
  return createHash("sha256")
    .update(username.trim().toLowerCase())
    .digest("base64url")
    .slice(0, 22);
}
