/**
 * Rate limits by client address, high enough for the many customers who share a mobile carrier's
 * address: they stop only programs. Webhooks with a valid signature are not counted, nor is the
 * health check: the platform restarts a process that does not answer it.
 */
import { type Counter, countersByEnv, takeOne } from "#app/core/counters.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { MINUTE } from "#app/model/dates.ts";
import type { Failure } from "#app/model/outcome.ts";

export const LIMITS = {
  reads: { points: 600, windowMs: MINUTE },
  writes: { points: 240, windowMs: MINUTE },
  /** Separate, so that other writes cannot keep an owner from signing in. */
  signIn: { points: 120, windowMs: MINUTE },
  slots: { points: 300, windowMs: MINUTE },
  documents: { points: 120, windowMs: MINUTE },
  booking: { points: 60, windowMs: MINUTE },
  payment: { points: 60, windowMs: MINUTE },
  callback: { points: 60, windowMs: MINUTE },
  /** Forms of a booking, a guardian or a rating: neither an e-mail address nor a link is to be guessed. */
  changes: { points: 60, windowMs: MINUTE },
  /** Each may send a mail. */
  findBooking: { points: 60, windowMs: MINUTE },
  /** Webhooks with a wrong signature; high, so that the provider is hardly ever refused. */
  unproven: { points: 600, windowMs: MINUTE },
} as const;

type Named = Exclude<keyof typeof LIMITS, "reads" | "writes" | "signIn" | "unproven">;

const ADMIN = /^\/(api\/)?admin(\/|$)/;
const SIGN_IN = /^\/(api\/)?admin(\/(login|forgot-password|verify-otp|reset-password))?$/;

/** True for health checks and webhooks: they are not counted and do not queue behind visitors. */
export function isExempt({ method, path }: Pick<Asked, "method" | "path">): boolean {
  if (path === "/health") return READS.has(method);
  // Meta verifies the webhook's address with a GET request.
  if (path === "/webhooks/whatsapp" && READS.has(method)) return true;
  return method === "POST" && /^\/webhooks\/(razorpay|whatsapp)$/.test(path);
}

const NAMED: readonly { reads: boolean; path: RegExp; limit: Named }[] = [
  { reads: true, path: /^\/api\/(slots|availability)$/, limit: "slots" },
  { reads: true, path: /^\/api\/(invoice|credit-note)\//, limit: "documents" },
  { reads: true, path: /^\/booking\/[^/]+\/plan\.pdf$/, limit: "documents" },
  { reads: false, path: /^\/(api\/appointments)?$/, limit: "booking" },
  { reads: false, path: /^\/api\/payments\//, limit: "payment" },
  { reads: false, path: /^\/booking\/[^/]+\/pay$/, limit: "payment" },
  { reads: false, path: /^\/payments\/callback$/, limit: "callback" },
  { reads: false, path: /^\/(booking|guardian|rating)\//, limit: "changes" },
  { reads: false, path: /^\/find-booking$/, limit: "findBooking" },
];

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

const TOO_MANY = "Too many requests from your network. Please wait a minute and try again.";
const TOO_MANY_UNPROVEN =
  "Too many webhooks with a wrong signature from this address. Please check the secret.";
const TOO_MANY_RETURNS =
  "Too many requests from your network. Your payment is not lost: we ask the payment provider about it. Please open your booking again in a minute.";

const counters = countersByEnv(LIMITS);

type CountDeps = Pick<Deps, "env" | "now">;

export interface Asked extends Pick<Client, "address" | "device"> {
  method: string;
  /** Canonical. */
  path: string;
}

/** Null if the request may pass. Refusal: `rate_limited`. */
export function countRequest(
  deps: CountDeps,
  { method, path, address, device }: Asked,
): Failure | null {
  if (isExempt({ method, path })) return null;
  const set = counters(deps.env);
  const reads = READS.has(method);
  const named = NAMED.find((one) => one.reads === reads && one.path.test(path))?.limit;
  const message = named === "callback" ? TOO_MANY_RETURNS : TOO_MANY;
  // A known browser in the admin area is counted by itself, so that a program behind the same
  // address does not use up its limit.
  const key = device && ADMIN.test(path) ? { about: device.id } : { from: address };
  const take = (counter: Counter) => takeOne(deps, counter, key, message);
  const broad = reads ? "reads" : SIGN_IN.test(path) ? "signIn" : "writes";
  return take(set[broad]) ?? (named ? take(set[named]) : null);
}

/** Counts a webhook whose signature was wrong. Refusal: `rate_limited`. */
export function countUnproven(deps: CountDeps, address: string): Failure | null {
  return takeOne(deps, counters(deps.env).unproven, { from: address }, TOO_MANY_UNPROVEN);
}
