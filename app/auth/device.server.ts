/** Which browsers an account knows, by the cookie they were given when they signed in. */
import type { Device } from "#app/core/cookies.server.ts";
import { sha256 } from "#app/core/sha256.ts";
import { newId } from "#app/model/ids.ts";
import type { Admin } from "#db/queries/admins.server.ts";

type Account = Pick<Admin, "id" | "passwordHash">;

/**
 * The device's id, if it has signed in to the account with the password that the account has. An
 * account without access knows none.
 */
export function knownDevice(
  account: (Account & Pick<Admin, "inactiveSince">) | null,
  device?: Device | null,
): string | null {
  const hasAccess = account && account.inactiveSince === null;
  const isKnown = hasAccess && device?.adminId === account.id && device.proof === proofOf(account);
  return isKnown ? device.id : null;
}

/** What the browser is to keep that has just proved the account its own. */
export function deviceOf(account: Account, device?: Device | null): Device {
  const id = device?.adminId === account.id ? device.id : newId();
  return { id, adminId: account.id, proof: proofOf(account) };
}

/** Stands for the password the account has now, and says nothing of it: its hash has a random salt. */
export function proofOf({ passwordHash }: Account): string {
  return sha256(passwordHash).slice(0, 22);
}
