/**
 * Whoever has a booking's address sees it; only who also knows its e-mail address may change it.
 * Tries are counted for the booking, and for the booking from one client address.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { addressKey } from "#app/http/client-address.ts";
import type { Deps } from "#app/lib/deps.server.ts";
import { type Failure, invalid } from "#app/lib/outcome.ts";
import { limitersByEnv, takeOne } from "#app/lib/rate-limiter.server.ts";
import type { Appointment } from "./appointment.ts";

const MINUTE = 60;

const limiters = limitersByEnv({
  ownerFromAddress: { points: 5, duration: 15 * MINUTE },
  ownerOfBooking: { points: 50, duration: 24 * 60 * MINUTE },
});

/** Said of a wrong address and of what is none. */
const WRONG_EMAIL =
  "This is not the email address of this booking. Please enter the one that our mails about it go to.";

const TOO_MANY = "Too many tries with another email address. Please wait, or write to us.";

export interface OwnerClaim {
  /** As typed. */
  email: string;
  clientAddress: string;
}

/** Null if the address is the booking's. Refusals: `validation_failed` on `email`, `rate_limited`. */
export async function refuseStranger(
  { env }: Pick<Deps, "env">,
  appointment: Pick<Appointment, "id" | "email">,
  claim: OwnerClaim,
): Promise<Failure | null> {
  const { ownerFromAddress, ownerOfBooking } = limiters(env);
  const { id } = appointment;
  const pair = `${id} ${addressKey(claim.clientAddress)}`;
  if (env.rateLimit) {
    // Counted before the comparison, so that many at once are counted too.
    const tooMany =
      (await takeOne(ownerFromAddress, pair, TOO_MANY)) ??
      (await takeOne(ownerOfBooking, id, TOO_MANY));
    if (tooMany) return tooMany;
  }
  if (!isSameAddress(claim.email, appointment.email)) return invalid({ email: [WRONG_EMAIL] });
  if (env.rateLimit) {
    await Promise.all([ownerFromAddress.delete(pair), ownerOfBooking.reward(id)]);
  }
  return null;
}

/** Upper and lower case are the same; the time it takes tells nothing of how much is right. */
function isSameAddress(typed: string, stored: string): boolean {
  return timingSafeEqual(hashOf(typed), hashOf(stored));
}

function hashOf(address: string): Buffer {
  return createHash("sha256").update(address.trim().toLowerCase()).digest();
}
