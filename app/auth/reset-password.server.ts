/**
 * A new password by a code in the mail. Everything is counted by the address as submitted, with
 * the same work and the same answers for one that no account has.
 */
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import type { Deps } from "#app/lib/deps.server.ts";
import type { Env } from "#app/lib/env.server.ts";
import { newId } from "#app/lib/ids.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/lib/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  countCodeTry,
  deleteCodesOf,
  deleteSessionsOf,
  findAdmin,
  findAdminByEmail,
  findCode,
  saveCode,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import { COMMON_PASSWORD } from "./account.server.ts";
import { isCommonPassword } from "./common-passwords.ts";
import {
  countResetCall,
  countWrongCode,
  forgetFailedSignIns,
  refuseMoreCodes,
} from "./limits.server.ts";
import { hashPassword, PasswordBusy } from "./password.server.ts";
import { BUSY } from "./sign-in.server.ts";

const MINUTE = 60_000;
/** Decision 27. */
const CODE_LIFE_MS = 10 * MINUTE;
const REPEAT_MS = MINUTE;
const TRIES = 5;

const WRONG_CODE = failure("invalid_otp", "This code is wrong or has expired.");

interface ResetClient {
  address: string;
}

/**
 * Mails a code if an account has the address; a repeat within 60 s sends nothing. The answer is
 * the same in every case. Refusal: `rate_limited`.
 */
export async function requestResetCode(
  deps: Deps,
  email: string,
  client: ResetClient,
): Promise<Outcome<null>> {
  const tooMany = await countResetCall(deps.env, client.address);
  if (tooMany) return tooMany;
  inTransaction(deps.db, (tx) => {
    const now = deps.now();
    const emailKey = keyOf(deps.env, email);
    const known = findCode(tx, emailKey, now);
    if (known && now - known.requested_at < REPEAT_MS) return;
    const admin = findAdminByEmail(tx, email.trim());
    const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
    const codeHash = hashCode(deps.env, emailKey, code);
    const expiresAt = now + CODE_LIFE_MS;
    saveCode(
      tx,
      {
        email_key: emailKey,
        admin_id: admin?.id ?? null,
        code_hash: admin ? codeHash : null,
        tries: 0,
        requested_at: now,
        expires_at: expiresAt,
      },
      now,
    );
    if (!admin) return;
    const event = { type: "reset_code", requestId: newId(), email: admin.email } as const;
    queueMessages(tx, deps.env, now, { ...event, code, expiresAt });
  });
  deps.wake();
  return success(null);
}

/** Does not use the code up. Refusals: `invalid_otp`; from the sixth try on `rate_limited`. */
export async function verifyResetCode(
  deps: Deps,
  { email, otp }: { email: string; otp: string },
  client: ResetClient,
): Promise<Outcome<null>> {
  const tooMany = await countResetCall(deps.env, client.address);
  if (tooMany) return tooMany;
  const checked = await checkCode(deps, email, otp, client);
  return checked.ok ? success(null) : checked;
}

/**
 * Sets the password, uses the account's codes up and ends every session of the account. Refusals:
 * `validation_failed` (a common password; the code stays), `invalid_otp`, `rate_limited`,
 * `unavailable`.
 */
export async function resetPassword(
  deps: Deps,
  { email, otp, newPassword }: { email: string; otp: string; newPassword: string },
  client: ResetClient,
): Promise<Outcome<null>> {
  const tooMany = await countResetCall(deps.env, client.address);
  if (tooMany) return tooMany;
  if (isCommonPassword(newPassword)) return invalid({ newPassword: [COMMON_PASSWORD] });
  const checked = await checkCode(deps, email, otp, client);
  if (!checked.ok) return checked;
  let passwordHash: string;
  try {
    passwordHash = await hashPassword(newPassword);
  } catch (error) {
    if (error instanceof PasswordBusy) return BUSY;
    throw error;
  }
  const done = inTransaction(deps.db, (tx): Outcome<{ username: string }> => {
    // Hashing took a moment, in which another reset may have used the code up.
    const code = tryCode(tx, deps, keyOf(deps.env, email), otp);
    if (!code.ok) return code;
    const now = deps.now();
    const admin = findAdmin(tx, code.value.adminId);
    if (!admin) return WRONG_CODE;
    updateAdmin(tx, admin.id, now, { password_hash: passwordHash });
    deleteCodesOf(tx, admin.id);
    deleteSessionsOf(tx, admin.id);
    logActivity(tx, { at: now, actor: admin.username, action: "password_reset" });
    queueMessages(tx, deps.env, now, {
      type: "account_notice",
      requestId: newId(),
      email: admin.email,
      notice: "password_changed",
    });
    return success({ username: admin.username });
  });
  if (!done.ok) return done;
  await forgetFailedSignIns(deps.env, done.value.username);
  deps.wake();
  return success(null);
}

async function checkCode(
  deps: Deps,
  email: string,
  otp: string,
  { address }: ResetClient,
): Promise<Outcome<{ adminId: string }>> {
  const emailKey = keyOf(deps.env, email);
  const tried = { emailKey, clientAddress: address };
  const tooMany = await refuseMoreCodes(deps.env, tried);
  if (tooMany) return tooMany;
  const outcome = inTransaction(deps.db, (tx) => tryCode(tx, deps, emailKey, otp));
  if (!outcome.ok && outcome.code === "invalid_otp") await countWrongCode(deps.env, tried);
  return outcome;
}

/** Counts a wrong try. Without a code there is nothing to guess, and it is counted all the same. */
function tryCode(
  tx: Db,
  deps: Pick<Deps, "env" | "now">,
  emailKey: string,
  otp: string,
): Outcome<{ adminId: string }> {
  const now = deps.now();
  let row = findCode(tx, emailKey, now);
  if (!row) {
    row = {
      email_key: emailKey,
      admin_id: null,
      code_hash: null,
      tries: 0,
      // A code asked for right now is sent.
      requested_at: 0,
      expires_at: now + CODE_LIFE_MS,
    };
    saveCode(tx, row, now);
  }
  if (row.tries >= TRIES) return tooManyTries(row.expires_at - now);
  const right = isSame(hashCode(deps.env, emailKey, otp), row.code_hash ?? "");
  if (right && row.admin_id !== null) return success({ adminId: row.admin_id });
  countCodeTry(tx, emailKey);
  return WRONG_CODE;
}

function tooManyTries(leftMs: number): Failure {
  return failure("rate_limited", "Too many wrong codes. Please ask for a new code.", {
    retryAfter: Math.max(1, leftMs / 1000),
  });
}

function keyOf(env: Env, email: string): string {
  return hmac(env, `email:${email.trim().toLowerCase()}`);
}

/** Six digits are soon tried out, so the hash needs a secret that the file does not hold. */
function hashCode(env: Env, emailKey: string, code: string): string {
  return hmac(env, `code:${emailKey}:${code}`);
}

function hmac({ sessionSecret }: Env, text: string): string {
  return createHmac("sha256", sessionSecret).update(text).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
