/**
 * Admin sessions: a token of 256 random bits, of which only the hash is stored, so that a session
 * can be ended and a copy of the database opens none. And the browsers that an account knows.
 */
import { randomBytes } from "node:crypto";
import { cookieOf, type Device } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { type Db, inTransaction, isUnavailable } from "#db/connection.server.ts";
import {
  type Admin,
  deleteExpiredSessions,
  findAdmin,
  findStoredSession,
  insertSession,
  listStoredSessions,
  touchSession,
} from "#db/queries/admins.server.ts";

const IDLE_MS = 12 * HOUR;
const LONGEST_MS = 7 * DAY;
/** The last use of a session is written at most this often. */
const TOUCH_MS = MINUTE;

/** A token of a session or an invitation. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export type AdminIdentity = Pick<Admin, "id" | "username" | "email" | "role" | "counselorKey">;

export interface LiveSession {
  admin: AdminIdentity;
  tokenHash: string;
}

/**
 * Creates a session under a new token. Use extends it, up to seven days after the sign-in. Joins
 * the transaction it is called in.
 */
export function createSession(
  { db, now }: Pick<ReadDeps, "db" | "now">,
  adminId: string,
  { userAgent }: { userAgent: string | null },
) {
  const at = now();
  const token = randomBytes(32).toString("base64url");
  const expiresAt = at + IDLE_MS;
  inTransaction(db, (tx) => {
    deleteExpiredSessions(tx, at);
    insertSession(tx, {
      tokenHash: sha256(token),
      adminId,
      userAgent: userAgent?.slice(0, 300) ?? null,
      createdAt: at,
      lastSeenAt: at,
      expiresAt,
    });
  });
  return { token, expiresAt };
}

/**
 * Null for an unknown, ended or expired token, or an account without access. The role is the
 * current one. Each use extends the session.
 */
export function findSession({ db, now }: ReadDeps, token: string | null): LiveSession | null {
  const at = now();
  const stored = token === null ? null : findLive(db, token, at);
  if (!stored) return null;
  // Written also when the clock went back, so that it does not live on for as long.
  if (Math.abs(at - stored.lastSeenAt) >= TOUCH_MS) touch(db, stored, at);
  const { adminId: id, username, email, role, counselorKey } = stored;
  return { admin: { id, username, email, role, counselorKey }, tokenHash: stored.tokenHash };
}

function findLive(db: Db, token: string, now: number) {
  const stored = TOKEN_PATTERN.test(token) ? findStoredSession(db, sha256(token)) : null;
  return stored && stored.expiresAt > now && stored.inactiveSince === null ? stored : null;
}

/** The live session of a request, by cookie or bearer token. */
export async function readSession(deps: ReadDeps, request: Request): Promise<LiveSession | null> {
  for (const token of await readTokens(deps.env, request)) {
    const session = findSession(deps, token);
    if (session) return session;
  }
  return null;
}

/**
 * The account, read again in the transaction that acts on a password check. Null if its password
 * has changed since or it has no access.
 */
export function findUnchanged(tx: Db, checked: Admin): Admin | null {
  const account = findAdmin(tx, checked.id);
  const isSame = account?.passwordHash === checked.passwordHash && account.inactiveSince === null;
  return isSame ? account : null;
}

/** Live sessions of the admin, most recently used first. */
export function listSessions({ db, now }: ReadDeps, { admin, tokenHash }: LiveSession) {
  return listStoredSessions(db, admin.id, now()).map(({ tokenHash: hash, ...stored }) => ({
    ...stored,
    isCurrent: hash === tokenHash,
  }));
}

const sessionCookie = cookieOf<unknown>("admin_session", { maxAgeSeconds: LONGEST_MS / 1000 });

export const sessionCookieHeader = (env: Env, token: string) => sessionCookie.header(env, token);

/** The id of the account that the request is signed in to, for rate limits; writes nothing. */
export async function accountOf(
  { db, env, now }: ReadDeps,
  headers: Pick<Headers, "get">,
): Promise<string | null> {
  for (const token of await readTokens(env, { headers })) {
    const stored = findLive(db, token, now());
    if (stored) return stored.adminId;
  }
  return null;
}

/** The tokens of a request, bearer before cookie: a dead bearer token does not hide a live cookie. */
export async function readTokens(
  env: Env,
  { headers }: { headers: Pick<Headers, "get"> },
): Promise<string[]> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const kept = await sessionCookie.read(env, headers.get("cookie"));
  return [bearer, kept].filter((token) => typeof token === "string");
}

/** Headers of the response to a sign-out. They clear storage, and only the session's cookie. */
export async function signOutHeaders(env: Env): Promise<[string, string][]> {
  return [
    ["Set-Cookie", await sessionCookie.header(env, null)],
    ["Clear-Site-Data", '"storage"'],
  ];
}

/** Skipped if the database is busy; the next request writes it. */
function touch(db: Db, stored: { tokenHash: string; createdAt: number }, at: number): void {
  try {
    touchSession(db, stored.tokenHash, {
      lastSeenAt: at,
      expiresAt: Math.min(at + IDLE_MS, stored.createdAt + LONGEST_MS),
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

type Account = Pick<Admin, "id" | "passwordHash">;

/**
 * The device's id, if it has signed in to the account with its current password. Null for an
 * account without access.
 */
export function knownDevice(
  account: (Account & Pick<Admin, "inactiveSince">) | null,
  device?: Device | null,
): string | null {
  const hasAccess = account && account.inactiveSince === null;
  const isKnown = hasAccess && device?.adminId === account.id && device.proof === proofOf(account);
  return isKnown ? device.id : null;
}

/** What a browser is to keep after a sign-in, so that the account knows it. */
export function deviceOf(account: Account, device?: Device | null): Device {
  const id = device?.adminId === account.id ? device.id : newId();
  return { id, adminId: account.id, proof: proofOf(account) };
}

/** Identifies the current password without revealing it, as its hash has a random salt. */
export function proofOf({ passwordHash }: Account): string {
  return sha256(passwordHash).slice(0, 22);
}
