/**
 * Limits by key, kept in memory: one process serves, and a stranger's try is not to cost a write.
 * A restart forgives.
 */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Env } from "./env.server.ts";
import { type Failure, failure } from "./outcome.ts";

export interface Limit {
  points: number;
  /** Seconds; the window opens with the first try. */
  duration: number;
}

/** One set for each configuration in use: two apps in one process do not count for each other. */
export function limitersByEnv<Name extends string>(
  limits: Readonly<Record<Name, Limit>>,
): (env: Env) => Record<Name, RateLimiterMemory> {
  const known = new WeakMap<Env, Record<Name, RateLimiterMemory>>();
  return (env) => {
    let limiters = known.get(env);
    if (!limiters) {
      const entries = Object.entries<Limit>(limits).map(([name, limit]) => [
        name,
        new RateLimiterMemory({ keyPrefix: name, ...limit }),
      ]);
      limiters = Object.fromEntries(entries) as Record<Name, RateLimiterMemory>;
      known.set(env, limiters);
    }
    return limiters;
  };
}

/** Counts one try. Refusal: `rate_limited`. */
export async function takeOne(
  limiter: RateLimiterMemory,
  key: string,
  message: string,
): Promise<Failure | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return tooMany(message, refused);
    throw refused;
  }
}

export function tooMany(message: string, { msBeforeNext }: { msBeforeNext: number }): Failure {
  return failure("rate_limited", message, { retryAfter: Math.max(1, msBeforeNext / 1000) });
}
