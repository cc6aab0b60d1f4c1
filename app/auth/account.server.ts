/** What a signed-in admin does with the own account: password, sessions, second factor. */
import type { Deps } from "#app/lib/deps.server.ts";
import { newId } from "#app/lib/ids.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/lib/outcome.ts";
import type { AccountNotice } from "#app/notifications/messages.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { deleteSessionsOf, findAdmin, updateAdmin } from "#db/queries/admins.server.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { countSignIn } from "./limits.server.ts";
import { hashPassword, PasswordBusy, verifyPassword } from "./password.server.ts";
import {
  acceptSecondFactor,
  acceptTotp,
  hasSecondFactor,
  newRecoveryCodes,
  newTotpSecret,
  totpUri,
} from "./second-factor.server.ts";
import { type AdminIdentity, endOtherSessions, type LiveSession } from "./session.server.ts";
import { BUSY } from "./sign-in.server.ts";

export const COMMON_PASSWORD =
  "This password is among the first that anybody would try. Please choose another one.";
const GONE = failure("unauthenticated", "Please sign in again.");

export interface AccountView {
  username: string;
  email: string;
  secondFactor: { isOn: boolean; recoveryCodesLeft: number };
}

export function readAccount({ db }: Pick<Deps, "db">, admin: AdminIdentity): AccountView | null {
  const row = findAdmin(db, admin.id);
  if (!row) return null;
  const codes = JSON.parse(row.recovery_codes) as string[];
  return {
    username: row.username,
    email: row.email,
    secondFactor: { isOn: hasSecondFactor(row), recoveryCodesLeft: codes.length },
  };
}

/**
 * Sets a new password and ends every other session. Refusals: `validation_failed` (wrong present
 * password, common new one), `rate_limited`, `unavailable`.
 */
export async function changePassword(
  deps: Deps,
  session: LiveSession,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  client: { address: string },
): Promise<Outcome<null>> {
  if (isCommonPassword(newPassword)) return invalid({ newPassword: [COMMON_PASSWORD] });
  const wrong = await refuseWrongPassword(deps, session.admin, currentPassword, client);
  if (wrong) return wrong;
  const passwordHash = await hashOrBusy(newPassword);
  if (passwordHash === null) return BUSY;
  inTransaction(deps.db, (tx) => {
    const now = deps.now();
    updateAdmin(tx, session.admin.id, now, { password_hash: passwordHash });
    deleteSessionsOf(tx, session.admin.id, session.tokenHash);
    logActivity(tx, { at: now, actor: session.admin.username, action: "password_change" });
    notify(tx, deps, session.admin.email, "password_changed", now);
  });
  deps.wake();
  return success(null);
}

/** Ends every session but this one; answers how many. */
export function endMyOtherSessions(deps: Deps, session: LiveSession): number {
  const ended = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    const count = endOtherSessions(deps, session);
    if (count === 0) return 0;
    const { username, email } = session.admin;
    logActivity(tx, { at: now, actor: username, action: "sessions_end", after: { count } });
    notify(tx, deps, email, "sessions_ended", now);
    return count;
  });
  deps.wake();
  return ended;
}

export interface TotpSetup {
  /** Base32, to be typed into an app that reads no QR code. */
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
}

/**
 * Makes the secret of a second factor that is not on yet; asked again before it is confirmed, the
 * answer is the same. Refusal: `validation_failed` if it is on.
 */
export function beginTotp(deps: Deps, admin: AdminIdentity): Outcome<TotpSetup> {
  return inTransaction(deps.db, (tx): Outcome<TotpSetup> => {
    const row = findAdmin(tx, admin.id);
    if (!row) return GONE;
    if (hasSecondFactor(row)) return invalid({ totp: ["The second factor is on already."] });
    const secret = row.totp_secret ?? newTotpSecret();
    if (row.totp_secret === null) updateAdmin(tx, admin.id, deps.now(), { totp_secret: secret });
    return success({ secret, uri: totpUri(secret, row.username) });
  });
}

/**
 * Turns the second factor on with a code of the app. The recovery codes are shown this once.
 * Refusal: `validation_failed`.
 */
export function confirmTotp(
  deps: Deps,
  admin: AdminIdentity,
  code: string,
): Outcome<{ recoveryCodes: string[] }> {
  const outcome = inTransaction(deps.db, (tx): Outcome<{ recoveryCodes: string[] }> => {
    const row = findAdmin(tx, admin.id);
    if (!row) return GONE;
    if (hasSecondFactor(row)) return invalid({ totp: ["The second factor is on already."] });
    if (!acceptTotp(tx, deps, row, code.replace(/\s/g, ""))) {
      return invalid({ totp: ["This code is wrong. Please enter the one your app shows now."] });
    }
    const now = deps.now();
    const { shown, hashes } = newRecoveryCodes();
    updateAdmin(tx, admin.id, now, {
      totp_confirmed_at: now,
      recovery_codes: JSON.stringify(hashes),
    });
    logActivity(tx, { at: now, actor: row.username, action: "second_factor_on" });
    notify(tx, deps, row.email, "second_factor_on", now);
    return success({ recoveryCodes: shown });
  });
  deps.wake();
  return outcome;
}

/**
 * Turns the second factor off with the password and a code (or recovery code). Refusals:
 * `validation_failed`, `rate_limited`, `unavailable`.
 */
export async function disableTotp(
  deps: Deps,
  admin: AdminIdentity,
  { currentPassword, code }: { currentPassword: string; code: string },
  client: { address: string },
): Promise<Outcome<null>> {
  const wrong = await refuseWrongPassword(deps, admin, currentPassword, client);
  if (wrong) return wrong;
  const outcome = inTransaction(deps.db, (tx): Outcome<null> => {
    if (!acceptSecondFactor(tx, deps, admin.id, code)) {
      return invalid({ totp: ["This code is wrong or was used already."] });
    }
    const now = deps.now();
    updateAdmin(tx, admin.id, now, {
      totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: null,
      recovery_codes: "[]",
    });
    logActivity(tx, { at: now, actor: admin.username, action: "second_factor_off" });
    notify(tx, deps, admin.email, "second_factor_off", now);
    return success(null);
  });
  deps.wake();
  return outcome;
}

/** Counted like a sign-in: a stolen session is no place to guess the password from. */
async function refuseWrongPassword(
  deps: Deps,
  admin: AdminIdentity,
  password: string,
  { address }: { address: string },
): Promise<Failure | null> {
  const counted = await countSignIn(deps.env, { username: admin.username, address });
  if ("ok" in counted) return counted;
  const row = findAdmin(deps.db, admin.id);
  try {
    if (!(await verifyPassword(row?.password_hash ?? null, password))) {
      return invalid({ currentPassword: ["This is not your present password."] });
    }
  } catch (error) {
    if (error instanceof PasswordBusy) return BUSY;
    throw error;
  }
  await counted.forgive();
  return null;
}

async function hashOrBusy(password: string): Promise<string | null> {
  try {
    return await hashPassword(password);
  } catch (error) {
    if (error instanceof PasswordBusy) return null;
    throw error;
  }
}

function notify(
  tx: Db,
  { env }: Pick<Deps, "env">,
  email: string,
  notice: AccountNotice,
  now: number,
): void {
  queueMessages(tx, env, now, { type: "account_notice", requestId: newId(), email, notice });
}
