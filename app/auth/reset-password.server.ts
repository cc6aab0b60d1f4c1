/**
 * Resets a password with a mailed code. Everything is counted by the submitted e-mail address; one
 * without an account takes the same work and gets the same responses.
 */
import { randomInt } from "node:crypto";
import type { z } from "zod";
import type { Device } from "#app/core/cookies.server.ts";
import type { Client, Deps, ReadDeps } from "#app/core/deps.server.ts";
import { isSame, keyedHashes } from "#app/core/secrets.server.ts";
import { accountNamed } from "#app/model/actor.ts";
import { newId } from "#app/model/ids.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { alertOwner, queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  type Admin,
  type CodeKey,
  countWrongTry,
  deleteCodesOf,
  deleteSessionsOf,
  findCode,
  findUsableAdminByEmail,
  insertCode,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import { notify } from "./account.server.ts";
import type { resetPasswordSchema, verifyOtpSchema } from "./fields.ts";
import {
  CODE_LIFE_MS,
  codeUsedUp,
  countCodeTry,
  countResetCall,
  isFlood,
  maySend,
} from "./limits.server.ts";
import { hashNewPassword } from "./password.server.ts";
import { deviceOf, knownDevice } from "./session.server.ts";

/** Wrong tries of one code, from all addresses together. */
const TRIES_OF_ALL = 20;

const WRONG_CODE = failure("invalid_otp", "This code is wrong or has expired.");

type ResetClient = Pick<Client, "address" | "device">;

/**
 * Mails a code if an account has the address, it has no valid code, and the limits of the hour and
 * the day are not reached. The response is the same in every case. Refusal: `rate_limited`.
 */
export async function requestResetCode(
  deps: Deps,
  email: string,
  client: ResetClient,
): Promise<Outcome<null>> {
  const tooMany = countResetCall(deps, client);
  if (tooMany) return tooMany;
  inTransaction(deps.db, (tx) => {
    const now = deps.now();
    const admin = findUsableAdminByEmail(tx, email.trim());
    const key = codeKeyOf(tx, deps, email, admin, client);
    const isLive = findCode(tx, key, now) !== null;
    const isCapped = !isLive && !maySend(deps, key);
    if ((isFlood(deps, key) || isCapped) && admin) alertOwner(tx, deps.env, now, "reset_flood");
    if (isLive || isCapped) return;
    const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
    const codeHash = keyedHashes(deps.env, codeText(key, code))[0]!;
    const expiresAt = now + CODE_LIFE_MS;
    insertCode(
      tx,
      {
        ...key,
        adminId: admin?.id ?? null,
        codeHash: admin ? codeHash : null,
        requestedAt: now,
        expiresAt,
      },
      now,
    );
    if (!admin) return;
    queueMessages(tx, deps.env, now, {
      type: "reset_code",
      requestId: newId(),
      email: admin.email,
      code,
      expiresAt,
    });
  });
  deps.wake();
  return success(null);
}

/** Leaves the code valid. Refusals: `invalid_otp`; from the sixth try on `rate_limited`. */
export async function verifyResetCode(
  deps: Deps,
  typed: z.output<typeof verifyOtpSchema>,
  client: ResetClient,
): Promise<Outcome<null>> {
  const tooMany = countResetCall(deps, client);
  if (tooMany) return tooMany;
  const tried = inTransaction(deps.db, (tx) => tryCode(tx, deps, typed, client));
  return tried.ok ? success(null) : tried;
}

/**
 * Sets the password, deletes the account's codes and ends all its sessions. Returns the device by
 * which the account will know this browser. Refusals: `validation_failed` (a weak password; the
 * code stays valid), `invalid_otp`, `rate_limited`, `unavailable`.
 */
export async function resetPassword(
  deps: Deps,
  { newPassword, ...typed }: z.output<typeof resetPasswordSchema>,
  client: ResetClient,
): Promise<Outcome<Device>> {
  const tooMany = countResetCall(deps, client);
  if (tooMany) return tooMany;
  const tried = inTransaction(deps.db, (tx) => tryCode(tx, deps, typed, client));
  if (!tried.ok) return tried;
  const hashed = await hashNewPassword(deps, tried.value, newPassword);
  if (!hashed.ok) return hashed;
  const done = inTransaction(deps.db, (tx): Outcome<Admin> => {
    // Hashing took a moment, in which another reset may have used the code up.
    const code = tryCode(tx, deps, typed, client);
    if (!code.ok) return code;
    const now = deps.now();
    const admin = code.value;
    updateAdmin(tx, admin.id, now, { passwordHash: hashed.value });
    deleteCodesOf(tx, admin.id);
    deleteSessionsOf(tx, admin.id);
    logActivity(tx, { at: now, ...accountNamed(admin), action: "password_reset" });
    notify(tx, deps, admin.email, "password_changed");
    return success(admin);
  });
  if (!done.ok) return done;
  deps.wake();
  return success(deviceOf({ id: done.value.id, passwordHash: hashed.value }, client.device));
}

/** The account whose code was typed. A wrong try is counted, also where no code was sent. */
function tryCode(
  tx: Db,
  deps: ReadDeps,
  { email, otp }: z.output<typeof verifyOtpSchema>,
  client: ResetClient,
): Outcome<Admin> {
  const now = deps.now();
  const admin = findUsableAdminByEmail(tx, email.trim());
  const key = codeKeyOf(tx, deps, email, admin, client);
  const sent = findCode(tx, key, now);
  const { address } = client;
  const counted = countCodeTry(deps, key, { address, sentAt: sent?.requestedAt ?? 0 });
  if ("ok" in counted) return counted;
  if (sent && sent.tries >= TRIES_OF_ALL) {
    counted.giveBack();
    return codeUsedUp(sent.expiresAt - now);
  }
  const stored = sent?.codeHash ?? "";
  const hashes = keyedHashes(deps.env, codeText(key, otp));
  const right = hashes.some((hash) => isSame(hash, stored));
  if (right && admin && admin.id === sent?.adminId) {
    counted.giveBack();
    return success(admin);
  }
  countWrongTry(tx, key);
  return WRONG_CODE;
}

/** The key of the live code, which may come from an older secret; without one, a new key. */
function codeKeyOf(
  db: Db,
  { env, now }: ReadDeps,
  email: string,
  admin: Admin | null,
  client: ResetClient,
): CodeKey {
  const device = knownDevice(admin, client.device) ?? "";
  const text = `email:${email.trim().toLowerCase()}`;
  const keys = keyedHashes(env, text).map((emailKey) => ({ emailKey, device }));
  return keys.find((key) => findCode(db, key, now())) ?? keys[0]!;
}

/** To be hashed with a key: six digits are soon guessed from a plain hash in the database. */
function codeText({ emailKey }: CodeKey, code: string): string {
  return `code:${emailKey}:${code}`;
}
