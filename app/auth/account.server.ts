/** Admins change their own account: password, sessions, second factor. */
import type { Device } from "#app/core/cookies.server.ts";
import type { Taken } from "#app/core/counters.server.ts";
import type { Client, Deps, ReadDeps } from "#app/core/deps.server.ts";
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
import { type AdminIdentity, deviceOf, findUnchanged, type LiveSession } from "./session.server.ts";

const NOT_CURRENT = invalid({ currentPassword: ["This is not your current password."] });

export function readAccount({ db }: Pick<Deps, "db">, admin: AdminIdentity) {
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
 * Sets a new password, ends every other session and voids mailed codes. Returns the device by which
 * the account will know this browser. Refusals: `validation_failed` (wrong current password, weak
 * new one), `rate_limited`, `unavailable`.
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
  return checked.act(({ tx, admin, now }) => {
    updateAdmin(tx, admin.id, now, { passwordHash: hashed.value });
    deleteSessionsOf(tx, admin.id, session.tokenHash);
    deleteCodesOf(tx, admin.id);
    logActivity(tx, { at: now, ...accountNamed(admin), action: "password_change" });
    notify(tx, deps, admin.email, "password_changed");
    return success(deviceOf({ id: admin.id, passwordHash: hashed.value }, client.device));
  });
}

/**
 * Ends every session but this one and returns how many. Refusals: `validation_failed` (wrong
 * current password), `rate_limited`, `unavailable`.
 */
export async function endMyOtherSessions(
  deps: Deps,
  session: LiveSession,
  { currentPassword }: { currentPassword: string },
): Promise<Outcome<number>> {
  const checked = await checkPassword(deps, session, currentPassword);
  if ("ok" in checked) return checked;
  checked.giveBack();
  return checked.act(({ tx, admin, now }) => {
    const count = deleteSessionsOf(tx, admin.id, session.tokenHash);
    if (count === 0) return success(0);
    logActivity(tx, { at: now, ...accountNamed(admin), action: "sessions_end", after: { count } });
    notify(tx, deps, admin.email, "sessions_ended");
    return success(count);
  });
}

/** The secret in Base32, to be typed in, and as an `otpauth://totp/…` URI. */
export type TotpSetup = Record<"secret" | "uri", string>;

/**
 * The secret of a second factor that is not on yet: the pending one or, with `anew`, a new one, in
 * case another session has seen the first. Refusal: `validation_failed` if the factor is on.
 */
export function setUpTotp(
  deps: Deps,
  admin: AdminIdentity,
  { anew }: { anew: boolean },
): Outcome<TotpSetup> {
  return inTransaction(deps.db, (tx): Outcome<TotpSetup> => {
    const account = findAdmin(tx, admin.id);
    if (!account) return SIGN_IN_AGAIN;
    if (hasSecondFactor(account)) return invalid({ totp: ["The second factor is on already."] });
    const begun = anew ? null : openTotpSecret(deps.env.sessionSecrets, account);
    const secret = begun ?? newTotpSecret();
    if (!begun) {
      const sealed = sealTotpSecret(deps.env.sessionSecrets, account.id, secret);
      updateAdmin(tx, account.id, deps.now(), { totpSecret: sealed, totpLastStep: null });
    }
    return success({ secret, uri: totpUri(deps.env.brand.name, secret, account.username) });
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
  // Whoever turns it on was shown its secret: there is no code to guess.
  checked.giveBack();
  return checked.act(({ tx, admin, now }) => {
    if (hasSecondFactor(admin)) return invalid({ totp: ["The second factor is on already."] });
    if (!acceptTotp(tx, deps, admin, code.replace(/\s/g, ""))) {
      return invalid({ totp: ["This code is wrong. Please enter the one your app shows now."] });
    }
    const { shown, hashes } = newRecoveryCodes();
    updateAdmin(tx, admin.id, now, {
      totpConfirmedAt: now,
      recoveryCodes: JSON.stringify(hashes),
    });
    logActivity(tx, { at: now, ...accountNamed(admin), action: "second_factor_on" });
    notify(tx, deps, admin.email, "second_factor_on");
    return success({ recoveryCodes: shown });
  });
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
  const outcome = checked.act(({ tx, admin, now }): Outcome<null> => {
    if (!acceptSecondFactor(tx, deps, admin.id, code)) {
      return invalid({ totp: ["This code is wrong or was used already."] });
    }
    updateAdmin(tx, admin.id, now, NO_SECOND_FACTOR);
    logActivity(tx, { at: now, ...accountNamed(admin), action: "second_factor_off" });
    notify(tx, deps, admin.email, "second_factor_off");
    return success(null);
  });
  // A right password with a wrong code stays counted: it is a guess of the code.
  if (outcome.ok) checked.giveBack();
  return outcome;
}

interface CheckedPassword extends Taken {
  /** Runs `work` in one transaction if password and session are unchanged. */
  act<T>(work: (done: { tx: Db; admin: Admin; now: number }) => Outcome<T>): Outcome<T>;
}

/**
 * Counts each try for the account, like a sign-in, until the caller gives it back: a stolen session
 * must not serve to guess the password, or the code asked for with it.
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
    act: (work) => {
      const outcome = inTransaction(deps.db, (tx) => {
        if (!account || !findStoredSession(tx, tokenHash)) return SIGN_IN_AGAIN;
        const still = findUnchanged(tx, account);
        return still ? work({ tx, admin: still, now: deps.now() }) : NOT_CURRENT;
      });
      deps.wake();
      return outcome;
    },
  };
}

/** Mails the account's user what was changed. */
export function notify(tx: Db, { env, now }: ReadDeps, email: string, notice: AccountNotice): void {
  queueMessages(tx, env, now(), { type: "account_notice", requestId: newId(), email, notice });
}
