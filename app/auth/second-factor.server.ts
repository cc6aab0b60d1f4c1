/** The second factor: time-based codes (RFC 6238) and the recovery codes that stand in for them. */
import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { BRAND } from "#app/catalogue.ts";
import type { Deps } from "#app/lib/deps.server.ts";
import type { Db } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { type AdminRow, findAdmin, takeTotpStep, updateAdmin } from "#db/queries/admins.server.ts";

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** One step either way: clocks differ, and typing takes time. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Of five bits each: from 112 bits on a plain hash is enough. */
const RECOVERY_LETTERS = 24;

export function hasSecondFactor(admin: AdminRow): boolean {
  return admin.totp_confirmed_at !== null && admin.totp_secret !== null;
}

export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address an authenticator app reads from a QR code or a link. */
export function totpUri(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

/**
 * Uses a code up: true once for each. Six digits are a code of the app, anything else is tried as
 * a recovery code, which is gone then. Inside the transaction of what it allows.
 */
export function acceptSecondFactor(
  tx: Db,
  deps: Pick<Deps, "now">,
  adminId: string,
  code: string,
): boolean {
  const admin = findAdmin(tx, adminId);
  if (!admin?.totp_secret) return false;
  const typed = code.replace(/[\s-]/g, "").toLowerCase();
  if (/^\d{6}$/.test(typed)) return acceptTotp(tx, deps, admin, typed);
  const hashes = JSON.parse(admin.recovery_codes) as string[];
  const used = hashRecoveryCode(typed);
  if (!hashes.includes(used)) return false;
  const left = hashes.filter((hash) => hash !== used);
  updateAdmin(tx, adminId, deps.now(), { recovery_codes: JSON.stringify(left) });
  logActivity(tx, {
    at: deps.now(),
    actor: admin.username,
    action: "recovery_code_used",
    after: { left: left.length },
  });
  return true;
}

/** As above for codes of the app alone, also while the factor is not confirmed yet. */
export function acceptTotp(
  tx: Db,
  deps: Pick<Deps, "now">,
  admin: Pick<AdminRow, "id" | "username" | "totp_secret">,
  code: string,
): boolean {
  if (!admin.totp_secret) return false;
  const timestamp = deps.now();
  const totp = totpOf(admin.totp_secret, admin.username);
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return false;
  return takeTotpStep(tx, admin.id, Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta);
}

/** Ten codes of 120 random bits, as shown once and as kept. */
export function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(RECOVERY_LETTERS)].map((byte) => ALPHABET[byte & 31]).join("");
    return letters.match(/.{4}/g)!.join("-");
  });
  return {
    shown: codes,
    hashes: codes.map((code) => hashRecoveryCode(code.replaceAll("-", ""))),
  };
}

/** Without the letters and digits that are misread. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

function totpOf(secret: string, username: string): TOTP {
  return new TOTP({
    issuer: BRAND.name,
    label: username,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

/** Random enough that a plain hash cannot be undone. */
function hashRecoveryCode(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}
