/**
 * How often mailed codes may be asked for and tried, counted per submitted address, known or not; a
 * browser that has signed in to the account before is counted by itself.
 */
import {
  countersByEnv,
  type Key,
  type Taken,
  takeEach,
  takeOne,
} from "#app/core/counters.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { type Failure, failure } from "#app/model/outcome.ts";
import type { CodeKey } from "#db/queries/admins.server.ts";

/** The life of a mailed code, in milliseconds. */
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
  /** Wrong codes for an account, over all its codes: so that no month of guessing helps. */
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

type LimitDeps = Pick<Deps, "env" | "now">;

/** Counts a call of the reset flow. Refusal: `rate_limited`. */
export function countResetCall(
  { env, now }: LimitDeps,
  { address, device }: Pick<Client, "address" | "device">,
): Failure | null {
  if (!env.rateLimit) return null;
  const key = device ? { about: device.id } : { from: address };
  return takeOne(callLimits(env).resets, key, now(), TOO_MANY_CALLS);
}

const keyOf = ({ emailKey, device }: CodeKey) => `${emailKey} ${device}`;

/** Counts a request for a code, whatever comes of it; true if there are too many in the hour. */
export function isFlood({ env, now }: LimitDeps, code: CodeKey): boolean {
  if (!env.rateLimit) return false;
  return takeOne(codeCounters(env, code).asked, { about: keyOf(code) }, now(), "") !== null;
}

/** Counts a code to be sent; false once the limit of the hour or the day is reached. */
export function maySend({ env, now }: LimitDeps, code: CodeKey): boolean {
  if (!env.rateLimit) return true;
  const { sent, sentDay } = codeCounters(env, code);
  const key = { about: keyOf(code) };
  const taken = takeEach(
    [
      [sent, key],
      [sentDay, key],
    ],
    now(),
    "",
  );
  return !("ok" in taken);
}

/**
 * Counts a try of the code sent at `sentAt` as wrong until it is given back. The tries of a code
 * are counted with the limits lifted too. Refusal: `rate_limited`.
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

/** Refusal of a code that all strangers together have tried too often; it ends in `ms`. */
export function codeUsedUp(ms: number): Failure {
  return failure("rate_limited", TOO_MANY_TRIES, { retryAfter: Math.max(1, ms / 1000) });
}
