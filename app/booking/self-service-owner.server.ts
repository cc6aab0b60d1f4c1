/**
 * Whoever has a booking's address sees it; only who also knows its e-mail address may change it.
 * Wrong tries close a booking for the address and the network they come from, never for its owner
 * elsewhere.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { networksOf } from "#app/core/client-address.ts";
import { countersByEnv, type Key, takeEach } from "#app/core/counters.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Contact } from "#app/model/appointment.ts";
import { DAY, MINUTE } from "#app/model/duration.ts";
import { type Failure, invalid } from "#app/model/outcome.ts";

const counters = countersByEnv({
  fromAddress: { points: 5, windowMs: 15 * MINUTE },
  /** A provider's customer has many addresses, of few networks. */
  fromNetwork: { points: 20, windowMs: DAY },
});

/** Said of a wrong address and of what is none. */
const WRONG_EMAIL =
  "This is not the email address of this booking. Please enter the one you booked with.";

const TOO_MANY = "You have tried too many email addresses. Please wait, or write to us.";

export interface OwnerClaim {
  /** As typed. */
  email: string;
  clientAddress: string;
}

/** Null if the address is the booking's. Refusals: `validation_failed` on `email`, `rate_limited`. */
export function refuseStranger(
  { env, now }: Pick<Deps, "env" | "now">,
  appointment: { id: string; contact: Pick<Contact, "email"> },
  { email, clientAddress }: OwnerClaim,
): Failure | null {
  const isOwner = isSameAddress(email, appointment.contact.email);
  if (env.rateLimit) {
    const { fromAddress, fromNetwork } = counters(env);
    const { id } = appointment;
    const [, network = clientAddress] = networksOf(clientAddress);
    const address: Key = { from: clientAddress, about: id };
    const around: Key = { about: `${id} ${network}` };
    // A right e-mail is refused too, once there were too many wrong ones.
    const taken = takeEach(
      [
        [fromAddress, address],
        [fromNetwork, around],
      ],
      now(),
      TOO_MANY,
    );
    if ("ok" in taken) return taken;
    if (isOwner) {
      taken.giveBack();
      fromAddress.forget(address);
      fromNetwork.forget(around);
    }
  }
  return isOwner ? null : invalid({ email: [WRONG_EMAIL] });
}

/** Upper and lower case are the same; the time it takes tells nothing of how much is right. */
function isSameAddress(typed: string, stored: string): boolean {
  return timingSafeEqual(hashOf(typed), hashOf(stored));
}

function hashOf(address: string): Buffer {
  return createHash("sha256").update(address.trim().toLowerCase()).digest();
}
