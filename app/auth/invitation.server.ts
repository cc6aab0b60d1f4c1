/** The way into a new account: a link in a mail, good for setting one password. */
import { randomBytes } from "node:crypto";
import type { Device } from "#app/core/cookies.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { sha256 } from "#app/core/sha256.ts";
import { accountNamed, type Role } from "#app/model/actor.ts";
import { HOUR } from "#app/model/duration.ts";
import { newId } from "#app/model/ids.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { updateAdmin } from "#db/queries/admins.server.ts";
import {
  type Account,
  deleteInvitation,
  findInvited,
  saveInvitation,
} from "#db/queries/team.server.ts";
import { deviceOf } from "./device.server.ts";
import { firstPasswordFault } from "./manage-admins.server.ts";
import { hashNewPassword } from "./new-password.server.ts";
import { countResetCall } from "./reset-limits.server.ts";

export const INVITATION_MS = 72 * HOUR;

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** One sentence, whether the token was used, is late, was withdrawn or never was. */
const NO_INVITATION = failure(
  "not_found",
  "This invitation is not good any more. Please ask an owner of the business for a new one, or sign in if you have set your password.",
);

/** Voids the account's invitation before. Wake the worker after the commit. */
export function sendInvitation(
  tx: Db,
  env: Env,
  now: number,
  { id, email, role }: { id: string; email: string; role: Role },
): void {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = now + INVITATION_MS;
  saveInvitation(tx, { adminId: id, tokenHash: sha256(token), expiresAt });
  const event = { type: "team_invitation", requestId: newId(), email, role } as const;
  queueMessages(tx, env, now, { ...event, code: token, expiresAt });
}

/** The account that the link is for; reading uses nothing up. Refusal: `not_found`. */
export function readInvitation(
  { db, now }: { db: Db } & Pick<Deps, "now">,
  token: string,
): Outcome<Account> {
  const account = TOKEN_PATTERN.test(token) ? findInvited(db, sha256(token), now()) : null;
  return account ? success(account) : NO_INVITATION;
}

/**
 * Sets the account's first password, and uses the invitation up; answers by what this browser is
 * known from now on. Refusals: `not_found`, `validation_failed` (a weak password; the invitation
 * stays), `rate_limited`, `unavailable`.
 */
export async function acceptInvitation(
  deps: Deps,
  token: string,
  { newPassword }: { newPassword: string },
  client: Pick<Client, "address" | "device">,
): Promise<Outcome<Device>> {
  const tooMany = countResetCall(deps, client);
  if (tooMany) return tooMany;
  const invited = readInvitation(deps, token);
  if (!invited.ok) return invited;
  const { username, email } = invited.value;
  const fault = await firstPasswordFault({ username, email, password: newPassword }, deps.env);
  if (fault) return invalid({ newPassword: [`The password ${fault}. Please choose another one.`] });
  const hashed = await hashNewPassword(deps, invited.value, newPassword);
  if (!hashed.ok) return hashed;
  return inTransaction(deps.db, (tx): Outcome<Device> => {
    // Hashing took a moment, in which it may have been used, withdrawn or sent anew.
    const still = readInvitation({ db: tx, now: deps.now }, token);
    if (!still.ok) return still;
    const now = deps.now();
    const { id } = still.value;
    updateAdmin(tx, id, now, { passwordHash: hashed.value });
    deleteInvitation(tx, id);
    logActivity(tx, { at: now, ...accountNamed(still.value), action: "team_join" });
    return success(deviceOf({ id, passwordHash: hashed.value }, client.device));
  });
}
