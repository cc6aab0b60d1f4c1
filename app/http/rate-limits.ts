/**
 * The limits of the public side by client address. Many customers share one address behind a
 * mobile carrier, so they stop programs, not people. A webhook that proves itself by its signature
 * is never counted; the health check is asked by the machine's keeper.
 */
import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { Env } from "#app/lib/env.server.ts";
import type { Failure } from "#app/lib/outcome.ts";
import { limitersByEnv, takeOne } from "#app/lib/rate-limiter.server.ts";
import { addressKey } from "./client-address.ts";

const MINUTE = 60;

/** What one address may ask in a minute. */
export const LIMITS = {
  reads: { points: 600, duration: MINUTE },
  writes: { points: 240, duration: MINUTE },
  slots: { points: 300, duration: MINUTE },
  documents: { points: 120, duration: MINUTE },
  booking: { points: 60, duration: MINUTE },
  payment: { points: 60, duration: MINUTE },
  callback: { points: 60, duration: MINUTE },
  /** Each asks for the booking's e-mail address, which is not to be guessed. */
  changes: { points: 20, duration: MINUTE },
  /** Each may send a mail. */
  findBooking: { points: 20, duration: MINUTE },
  /** Webhooks that do not prove themselves; what stands in the way of the provider must be rare. */
  unproven: { points: 600, duration: MINUTE },
} as const;

type Named = Exclude<keyof typeof LIMITS, "reads" | "writes" | "unproven">;

const UNLIMITED = /^\/(webhooks\/|health$)/;

const NAMED: readonly { reads: boolean; path: RegExp; limit: Named }[] = [
  { reads: true, path: /^\/api\/(slots|availability)$/, limit: "slots" },
  { reads: true, path: /^\/api\/(invoice|credit-note)\//, limit: "documents" },
  { reads: false, path: /^\/(api\/appointments)?$/, limit: "booking" },
  { reads: false, path: /^\/api\/payments\//, limit: "payment" },
  { reads: false, path: /^\/booking\/[^/]+\/pay$/, limit: "payment" },
  { reads: false, path: /^\/payments\/callback$/, limit: "callback" },
  { reads: false, path: /^\/booking\//, limit: "changes" },
  { reads: false, path: /^\/find-booking$/, limit: "findBooking" },
];

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

const TOO_MANY = "Too many requests from your network. Please wait a minute and try again.";
const TOO_MANY_UNPROVEN =
  "Too many webhooks with a wrong signature from this address. Please check the secret.";
const TOO_MANY_RETURNS =
  "Too many requests from your network. Your payment is not lost: we ask the payment provider about it. Please open your booking again in a minute.";

/** Addresses counted at once by one limit; about 15 MB for all of them together. */
const MOST_ADDRESSES = 20_000;

const limiters = limitersByEnv(LIMITS);

export interface Asked {
  method: string;
  /** As `canonicalPath` spells it. */
  path: string;
  address: string;
}

/** Counts a request. Refusal: `rate_limited`. */
export async function countRequest(env: Env, asked: Asked): Promise<Failure | null> {
  if (!env.rateLimit || UNLIMITED.test(asked.path)) return null;
  const set = limiters(env);
  const reads = READS.has(asked.method);
  const key = addressKey(asked.address);
  const named = NAMED.find((one) => one.reads === reads && one.path.test(asked.path))?.limit;
  const message = named === "callback" ? TOO_MANY_RETURNS : TOO_MANY;
  return (
    (await takeWithinCrowd(set[reads ? "reads" : "writes"], key, message)) ??
    (named ? takeWithinCrowd(set[named], key, message) : null)
  );
}

/**
 * Counts a webhook whose proof was wrong, after it was looked at: one that is right passes from the
 * same address. Refusal: `rate_limited`.
 */
export async function countUnproven(env: Env, address: string): Promise<Failure | null> {
  if (!env.rateLimit) return null;
  return takeWithinCrowd(limiters(env).unproven, addressKey(address), TOO_MANY_UNPROVEN);
}

/** How many addresses a limiter was given in its present window, and in the one before. */
const crowds = new WeakMap<RateLimiterMemory, { since: number; now: number; before: number }>();

/**
 * With too many addresses in count, further ones pass uncounted: the memory is bounded, and a
 * crowd that large is not stopped by counting each of it.
 */
async function takeWithinCrowd(
  limiter: RateLimiterMemory,
  key: string,
  message: string,
): Promise<Failure | null> {
  if ((await limiter.get(key)) === null && !joinsCrowd(limiter)) return null;
  return takeOne(limiter, key, message);
}

function joinsCrowd(limiter: RateLimiterMemory): boolean {
  const at = Date.now();
  const window = limiter.duration * 1000;
  let crowd = crowds.get(limiter);
  if (!crowd || at - crowd.since >= window) {
    const isFresh = crowd !== undefined && at - crowd.since < 2 * window;
    crowd = { since: at, now: 0, before: isFresh ? crowd!.now : 0 };
    crowds.set(limiter, crowd);
  }
  if (crowd.now + crowd.before >= MOST_ADDRESSES) return false;
  crowd.now += 1;
  return true;
}
