/** What a signed-in admin does with the own account: password, sessions, second factor. */

import type { Device } from "#app/core/cookies.server.ts";
import type { Taken } from "#app/core/counters.server.ts";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { accountNamed } from "#app/model/actor.ts";
import { newId } from "#app/model/ids.ts";
import type { AccountNotice } from "#app/model/messages.ts";
import { type Failure, invalid, type Outcome, SIGN_IN_AGAIN, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  type Admin,
  deleteCodesOf,
  deleteSessionsOf,
  findAdmin,
  findStoredSession,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import { countSignIn } from "./limits.server.ts";
import { hashNewPassword, orBusy, verifyPassword } from "./password.server.ts";
import {
  acceptSecondFactor,
  acceptTotp,
  hasSecondFactor,
  NO_SECOND_FACTOR,
  newRecoveryCodes,
  newTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  totpUri,
} from "./second-factor.server.ts";
import {
  type AdminIdentity,
  deviceOf,
  endOtherSessions,
  findUnchanged,
  type LiveSession,
} from "./session.server.ts";

const NOT_CURRENT = invalid({ currentPassword: ["This is not your current password."] });

export interface AccountView {
  username: string;
  email: string;
  secondFactor: { isOn: boolean; recoveryCodesLeft: number };
}

export function readAccount({ db }: Pick<Deps, "db">, admin: AdminIdentity): AccountView | null {
  const account = findAdmin(db, admin.id);
  if (!account) return null;
  const codes = JSON.parse(account.recoveryCodes) as string[];
  return {
    username: account.username,
    email: account.email,
    secondFactor: { isOn: hasSecondFactor(account), recoveryCodesLeft: codes.length },
  };
}

/**
 * Sets a new password, ends every other session and voids mailed codes; answers by what this
 * browser stays known. Refusals: `validation_failed` (wrong current password, weak new one),
 * `rate_limited`, `unavailable`.
 */
export async function changePassword(
  deps: Deps,
  session: LiveSession,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  client: Pick<Client, "device">,
): Promise<Outcome<Device>> {
  const checked = await checkPassword(deps, session, currentPassword);
  if ("ok" in checked) return checked;
  checked.giveBack();
  const hashed = await hashNewPassword(deps, session.admin, newPassword);
  if (!hashed.ok) return hashed;
  const done = inTransaction(deps.db, (tx) => {
    const still = checked.again(tx);
    if (!still.ok) return still;
    const now = deps.now();
    updateAdmin(tx, session.admin.id, now, { passwordHash: hashed.value });
    deleteSessionsOf(tx, session.admin.id, session.tokenHash);
    deleteCodesOf(tx, session.admin.id);
    logActivity(tx, { at: now, ...accountNamed(session.admin), action: "password_change" });
    notify(tx, deps, still.value.email, "password_changed");
    return still;
  });
  if (!done.ok) return done;
  deps.wake();
  const { id } = session.admin;
  return success(deviceOf({ id, passwordHash: hashed.value }, client.device));
}

/**
 * Ends every session but this one; answers how many. Refusals: `validation_failed` (wrong current
 * password), `rate_limited`, `unavailable`.
 */
export async function endMyOtherSessions(
  deps: Deps,
  session: LiveSession,
  { currentPassword }: { currentPassword: string },
): Promise<Outcome<number>> {
  const checked = await checkPassword(deps, session, currentPassword);
  if ("ok" in checked) return checked;
  checked.giveBack();
  const ended = inTransaction(deps.db, (tx): Outcome<number> => {
    const still = checked.again(tx);
    if (!still.ok) return still;
    const now = deps.now();
    const count = endOtherSessions(deps, session);
    if (count === 0) return success(0);
    logActivity(tx, {
      at: now,
      ...accountNamed(session.admin),
      action: "sessions_end",
      after: { count },
    });
    notify(tx, deps, session.admin.email, "sessions_ended");
    return success(count);
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
 * Makes the secret of a second factor that is not on yet. One begun before is void: another session
 * may have seen it. Refusal: `validation_failed` if the factor is on.
 */
export function beginTotp(deps: Deps, admin: AdminIdentity): Outcome<TotpSetup> {
  return totpSetup(deps, admin, () => newTotpSecret());
}

/** The secret begun last, to be shown again. Refusal as above. */
export function shownTotp(deps: Deps, admin: AdminIdentity): Outcome<TotpSetup> {
  return totpSetup(deps, admin, (begun) => begun ?? newTotpSecret());
}

function totpSetup(
  deps: Deps,
  admin: AdminIdentity,
  choose: (begun: string | null) => string,
): Outcome<TotpSetup> {
  return inTransaction(deps.db, (tx): Outcome<TotpSetup> => {
    const account = findAdmin(tx, admin.id);
    if (!account) return SIGN_IN_AGAIN;
    if (hasSecondFactor(account)) return invalid({ totp: ["The second factor is on already."] });
    const begun = openTotpSecret(deps.env.sessionSecrets, account);
    const secret = choose(begun);
    if (secret !== begun) {
      const sealed = sealTotpSecret(deps.env.sessionSecrets, account.id, secret);
      updateAdmin(tx, account.id, deps.now(), { totpSecret: sealed, totpLastStep: null });
    }
    return success({ secret, uri: totpUri(secret, account.username) });
  });
}

/**
 * Turns the second factor on with the password and a code of the app. The recovery codes are shown
 * this once. Refusals: `validation_failed`, `rate_limited`, `unavailable`.
 */
export async function confirmTotp(
  deps: Deps,
  session: LiveSession,
  { currentPassword, code }: { currentPassword: string; code: string },
): Promise<Outcome<{ recoveryCodes: string[] }>> {
  const checked = await checkPassword(deps, session, currentPassword);
  if ("ok" in checked) return checked;
  // Who may turn it on was shown its secret: there is no code to guess.
  checked.giveBack();
  const outcome = inTransaction(deps.db, (tx): Outcome<{ recoveryCodes: string[] }> => {
    const still = checked.again(tx);
    if (!still.ok) return still;
    const account = still.value;
    if (hasSecondFactor(account)) return invalid({ totp: ["The second factor is on already."] });
    if (!acceptTotp(tx, deps, account, code.replace(/\s/g, ""))) {
      return invalid({ totp: ["This code is wrong. Please enter the one your app shows now."] });
    }
    const now = deps.now();
    const { shown, hashes } = newRecoveryCodes();
    updateAdmin(tx, account.id, now, {
      totpConfirmedAt: now,
      recoveryCodes: JSON.stringify(hashes),
    });
    logActivity(tx, { at: now, ...accountNamed(account), action: "second_factor_on" });
    notify(tx, deps, account.email, "second_factor_on");
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
  session: LiveSession,
  { currentPassword, code }: { currentPassword: string; code: string },
): Promise<Outcome<null>> {
  const checked = await checkPassword(deps, session, currentPassword);
  if ("ok" in checked) return checked;
  const outcome = inTransaction(deps.db, (tx): Outcome<null> => {
    const still = checked.again(tx);
    if (!still.ok) return still;
    const admin = still.value;
    if (!acceptSecondFactor(tx, deps, admin.id, code)) {
      return invalid({ totp: ["This code is wrong or was used already."] });
    }
    const now = deps.now();
    updateAdmin(tx, admin.id, now, NO_SECOND_FACTOR);
    logActivity(tx, { at: now, ...accountNamed(admin), action: "second_factor_off" });
    notify(tx, deps, admin.email, "second_factor_off");
    return success(null);
  });
  // A right password with a wrong code stays counted: it is a guess of the code.
  if (outcome.ok) checked.giveBack();
  deps.wake();
  return outcome;
}

interface CheckedPassword extends Taken {
  /** The account in the transaction that acts, if password and session are still what they were. */
  again(tx: Db): Outcome<Admin>;
}

/**
 * Counted like a sign-in, for the account by itself, until the caller gives it back: a stolen
 * session is no place to guess the password from, nor a code behind it.
 */
async function checkPassword(
  deps: Deps,
  { admin, tokenHash }: LiveSession,
  password: string,
): Promise<CheckedPassword | Failure> {
  const counted = countSignIn(deps, { known: `account ${admin.id}` });
  if ("ok" in counted) return counted;
  const account = findAdmin(deps.db, admin.id);
  const right = await orBusy(verifyPassword(account?.passwordHash ?? null, password, { counted }));
  if (!right.ok) return right;
  if (!right.value) return NOT_CURRENT;
  return {
    ...counted,
    again(tx) {
      if (!account || !findStoredSession(tx, tokenHash)) return SIGN_IN_AGAIN;
      const still = findUnchanged(tx, account);
      return still ? success(still) : NOT_CURRENT;
    },
  };
}

/** Tells the owner of an account what was done with it. */
export function notify(
  tx: Db,
  { env, now }: Pick<Deps, "env" | "now">,
  email: string,
  notice: AccountNotice,
): void {
  queueMessages(tx, env, now(), { type: "account_notice", requestId: newId(), email, notice });
}
