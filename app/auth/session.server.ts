/**
 * Admin sessions: 256 random bits in the hands of the browser or program, their hash in a table,
 * so that a session can be ended and a copy of the file opens none.
 */
import { createHash, randomBytes } from "node:crypto";
import { hostCookieName } from "#app/core/cookie-name.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { type Db, inTransaction, isUnavailable } from "#db/connection.server.ts";
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  findSessionRow,
  insertSession,
  listSessionRows,
  touchSession,
} from "#db/queries/admins.server.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Decision 26. */
const IDLE_MS = 12 * HOUR;
const LONGEST_MS = 7 * 24 * HOUR;
/** A session in use is written at most this often. */
const TOUCH_MS = MINUTE;

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

type SessionDeps = Pick<Deps, "db" | "now">;

export interface AdminIdentity {
  id: string;
  username: string;
  email: string;
}

export interface NewSession {
  token: string;
  /** Milliseconds UTC; later use moves it on, up to seven days after the sign-in. */
  expiresAt: number;
}

export interface LiveSession {
  admin: AdminIdentity;
  tokenHash: string;
}

/** A new session under a new token. Joins the transaction it is called in. */
export function createSession(
  { db, now }: SessionDeps,
  adminId: string,
  { userAgent }: { userAgent: string | null },
): NewSession {
  const at = now();
  const token = randomBytes(32).toString("base64url");
  const expiresAt = at + IDLE_MS;
  inTransaction(db, (tx) => {
    deleteExpiredSessions(tx, at);
    insertSession(tx, {
      token_hash: hashToken(token),
      admin_id: adminId,
      user_agent: userAgent?.slice(0, 300) ?? null,
      created_at: at,
      last_seen_at: at,
      expires_at: expiresAt,
    });
  });
  return { token, expiresAt };
}

/** Null for an unknown, ended or outlived token. Being used keeps a session from idling out. */
export function findSession({ db, now }: SessionDeps, token: string | null): LiveSession | null {
  if (token === null || !TOKEN_PATTERN.test(token)) return null;
  const at = now();
  const row = findSessionRow(db, hashToken(token));
  if (!row || row.expires_at <= at) return null;
  if (at - row.last_seen_at >= TOUCH_MS) touch(db, row, at);
  return {
    admin: { id: row.admin_id, username: row.username, email: row.email },
    tokenHash: row.token_hash,
  };
}

/** The live session of a request, by cookie or bearer. */
export function readSession(
  deps: SessionDeps & Pick<Deps, "env">,
  request: Request,
): LiveSession | null {
  for (const token of readTokens(deps.env, request)) {
    const session = findSession(deps, token);
    if (session) return session;
  }
  return null;
}

/** True if the token was that of a session. */
export function endSession({ db }: Pick<Deps, "db">, token: string): boolean {
  return deleteSession(db, hashToken(token));
}

/** Ends every session of the admin but this one; answers how many. */
export function endOtherSessions({ db }: Pick<Deps, "db">, session: LiveSession): number {
  return deleteSessionsOf(db, session.admin.id, session.tokenHash);
}

export interface SessionView {
  userAgent: string | null;
  /** Milliseconds UTC. */
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  isCurrent: boolean;
}

/** Live sessions of the admin, the one seen last first. */
export function listSessions({ db, now }: SessionDeps, session: LiveSession): SessionView[] {
  return listSessionRows(db, session.admin.id, now()).map((row) => ({
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    isCurrent: row.token_hash === session.tokenHash,
  }));
}

/** The tokens a request carries, bearer before cookie: a dead bearer does not hide a live cookie. */
export function readTokens(env: CookieEnv, request: Request): string[] {
  const cookieName = cookieNameOf(env);
  const tokens: string[] = [];
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (bearer) tokens.push(bearer);
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (value && name === cookieName) tokens.push(value);
  }
  return tokens;
}

type CookieEnv = Pick<Env, "publicUrl">;

/** On https only the name that no neighbouring host can plant. */
const cookieNameOf = ({ publicUrl }: CookieEnv) => hostCookieName(publicUrl, "admin_session");

export function sessionCookieHeader(env: CookieEnv, token: string): string {
  return cookie(env, token, LONGEST_MS / 1000);
}

/**
 * What an answer to a sign-out carries. The browser forgets what it stored too; of its cookies it
 * loses only the session's: others are to outlive it.
 */
export function signOutHeaders(env: CookieEnv): [string, string][] {
  return [
    ["Set-Cookie", cookie(env, "", 0)],
    ["Clear-Site-Data", '"storage"'],
  ];
}

function cookie(env: CookieEnv, value: string, maxAge: number): string {
  const secure = env.publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${cookieNameOf(env)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}

/** Not written now is written with the next request: a busy file ends no session. */
function touch(db: Db, row: { token_hash: string; created_at: number }, at: number): void {
  try {
    touchSession(db, row.token_hash, {
      lastSeenAt: at,
      expiresAt: Math.min(at + IDLE_MS, row.created_at + LONGEST_MS),
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
