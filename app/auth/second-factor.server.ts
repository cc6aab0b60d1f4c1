/**
 * The second factor: time-based codes (RFC 6238), or recovery codes in their place. The secret of
 * an authenticator app is stored encrypted, so a copy of the database cannot produce codes.
 */
import { Secret, TOTP } from "otpauth";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import {
  broughtUnderFirst,
  open,
  type SealedPlace,
  seal,
  sha256,
} from "#app/core/secrets.server.ts";
import { accountNamed } from "#app/model/actor.ts";
import { newId } from "#app/model/ids.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  type Admin,
  findAdmin,
  listTotpSecrets,
  takeTotpStep,
  updateAdmin,
} from "#db/queries/admins.server.ts";

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** One step either way: clocks differ, and typing takes time. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Five bits each, 120 in all: from 112 bits on, a plain hash is enough. */
const RECOVERY_LETTERS = 24;

/** An account's columns with the second factor off. */
export const NO_SECOND_FACTOR = {
  totpSecret: null,
  totpConfirmedAt: null,
  totpLastStep: null,
  recoveryCodes: "[]",
} as const;

export function hasSecondFactor(admin: Admin): boolean {
  return admin.totpConfirmedAt !== null && admin.totpSecret !== null;
}

export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

type Secrets = Deps["env"]["sessionSecrets"];

const placeOf = (adminId: string): SealedPlace => ({ purpose: "second factor", row: adminId });

export function sealTotpSecret(secrets: Secrets, adminId: string, secret: string): string {
  return seal(secrets, placeOf(adminId), secret);
}

/** The secret of the admin's app; null if there is none, or no session secret decrypts it. */
export function openTotpSecret(
  secrets: Secrets,
  admin: Pick<Admin, "id" | "totpSecret">,
): string | null {
  return admin.totpSecret && open(secrets, placeOf(admin.id), admin.totpSecret);
}

/**
 * Encrypts every stored secret under the first session secret, including those in clear text that
 * old databases and backups hold. Runs before anybody signs in.
 */
export function sealTotpSecrets(deps: Pick<Deps, "db" | "env" | "now" | "log">): void {
  const unread = inTransaction(deps.db, (tx) => {
    let count = 0;
    for (const { id, totpSecret, totpConfirmedAt } of listTotpSecrets(tx)) {
      const sealed = broughtUnderFirst(deps.env.sessionSecrets, placeOf(id), totpSecret);
      if (sealed === null) count += totpConfirmedAt === null ? 0 : 1;
      else if (sealed !== totpSecret) updateAdmin(tx, id, deps.now(), { totpSecret: sealed });
    }
    return count;
  });
  if (unread > 0) {
    deps.log.warn(
      { accounts: unread },
      "no SESSION_SECRET opens the second factor of some accounts: list the one before too, or let them sign in with a recovery code, or set them anew with npm run admin:create",
    );
  }
}

/** The address an authenticator app reads from a QR code or a link. */
export function totpUri(issuer: string, secret: string, username: string): string {
  return totpOf(secret, username, issuer).toString();
}

/**
 * Accepts each code once. Six digits are checked as a code of the app, anything else as a recovery
 * code, which is then deleted. Call it in the transaction of what the code permits.
 */
export function acceptSecondFactor(tx: Db, deps: ReadDeps, adminId: string, code: string): boolean {
  const admin = findAdmin(tx, adminId);
  if (!admin?.totpSecret) return false;
  const typed = code.replace(/[\s-]/g, "").toLowerCase();
  if (/^\d{6}$/.test(typed)) return acceptTotp(tx, deps, admin, typed);
  const hashes = JSON.parse(admin.recoveryCodes) as string[];
  const used = sha256(typed);
  if (!hashes.includes(used)) return false;
  const left = hashes.filter((hash) => hash !== used);
  updateAdmin(tx, adminId, deps.now(), { recoveryCodes: JSON.stringify(left) });
  logActivity(tx, {
    at: deps.now(),
    ...accountNamed(admin),
    action: "recovery_code_used",
    after: { left: left.length },
  });
  return true;
}

/** Like `acceptSecondFactor`, for codes of the app only, also before the factor is confirmed. */
export function acceptTotp(
  tx: Db,
  deps: ReadDeps,
  admin: Pick<Admin, "id" | "username" | "totpSecret">,
  code: string,
): boolean {
  const secret = openTotpSecret(deps.env.sessionSecrets, admin);
  if (!secret) return false;
  const timestamp = deps.now();
  const totp = totpOf(secret, admin.username);
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return false;
  return takeTotpStep(tx, admin.id, Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta);
}

/** As shown once, and as stored. */
export function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    newId(RECOVERY_LETTERS).match(/.{4}/g)!.join("-"),
  );
  return { shown: codes, hashes: codes.map((code) => sha256(code.replaceAll("-", ""))) };
}

function totpOf(secret: string, username: string, issuer = ""): TOTP {
  return new TOTP({
    issuer,
    label: username,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
