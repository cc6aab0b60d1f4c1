/**
 * The limits of the public side by client address. Many customers share one address behind a
 * mobile carrier, so they stop programs, not people. A webhook that proves itself by its signature
 * is never counted, nor the health check: the platform asks it, and restarts what does not answer.
 */
import { type Counter, countersByEnv, takeOne } from "#app/core/counters.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { MINUTE } from "#app/model/duration.ts";
import type { Failure } from "#app/model/outcome.ts";

export const LIMITS = {
  reads: { points: 600, windowMs: MINUTE },
  writes: { points: 240, windowMs: MINUTE },
  /** Apart from other writes, which are not to stand in an owner's way. */
  signIn: { points: 120, windowMs: MINUTE },
  slots: { points: 300, windowMs: MINUTE },
  documents: { points: 120, windowMs: MINUTE },
  booking: { points: 60, windowMs: MINUTE },
  payment: { points: 60, windowMs: MINUTE },
  callback: { points: 60, windowMs: MINUTE },
  /** Each asks for the booking's e-mail address, which is not to be guessed. */
  changes: { points: 20, windowMs: MINUTE },
  /** Each may send a mail. */
  findBooking: { points: 20, windowMs: MINUTE },
  /**
   * Webhooks with a wrong signature. The limit is high, so that it hardly ever refuses the
   * provider.
   */
  unproven: { points: 600, windowMs: MINUTE },
} as const;

type Named = Exclude<keyof typeof LIMITS, "reads" | "writes" | "signIn" | "unproven">;

const ADMIN = /^\/(api\/)?admin(\/|$)/;
const SIGN_IN = /^\/(api\/)?admin(\/(login|forgot-password|verify-otp|reset-password))?$/;

/**
 * True for health checks and webhooks: they are not counted here and do not queue behind visitors'
 * requests. Other methods on these paths are visitors' requests.
 */
export function isApart({ method, path }: Pick<Asked, "method" | "path">): boolean {
  if (path === "/health") return READS.has(method);
  // Meta reads the webhook's path to prove that it is ours.
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
  /** As `canonicalPath` spells it. */
  path: string;
}

export function countRequest(
  deps: CountDeps,
  { method, path, address, device }: Asked,
): Failure | null {
  if (isApart({ method, path })) return null;
  const set = counters(deps.env);
  const reads = READS.has(method);
  const named = NAMED.find((one) => one.reads === reads && one.path.test(path))?.limit;
  const message = named === "callback" ? TOO_MANY_RETURNS : TOO_MANY;
  // In the admin area its browsers are counted by themselves, whatever a program behind the same
  // address does.
  const key = device && ADMIN.test(path) ? { about: device.id } : { from: address };
  const take = (counter: Counter) => takeOne(deps, counter, key, message);
  const broad = reads ? "reads" : SIGN_IN.test(path) ? "signIn" : "writes";
  return take(set[broad]) ?? (named ? take(set[named]) : null);
}

/**
 * Counts a webhook whose proof was wrong, after it was looked at: one that is right passes from the
 * same address. Refusal: `rate_limited`.
 */
export function countUnproven(deps: CountDeps, address: string): Failure | null {
  return takeOne(deps, counters(deps.env).unproven, { from: address }, TOO_MANY_UNPROVEN);
}
