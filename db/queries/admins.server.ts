/** Accounts of the business with their sessions, invitations and mailed codes. */
import { type Selectable, sql } from "kysely";
import { deleteBy, findBy, insertInto, replaceIn, updateBy } from "#db/by-column.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";
import { type ChangeOf, type NewOf, rowOf, type Stored, toFields } from "#db/row-fields.ts";
import type { AdminSessionTable, AdminTable, OneTimeCodeTable } from "#db/tables.ts";

export type Admin = Stored<AdminTable>;

/** Whose code it is: there is one for each known browser, and one for everybody else. */
export interface CodeKey {
  /** Of the e-mail address as submitted. */
  emailKey: string;
  /** Set for a browser that has signed in to the address's account; else empty. */
  device: string;
}

const admins = sqlite.selectFrom("admin").selectAll();

export function countAdmins(db: Db): number {
  return db.first(sqlite.selectFrom("admin").select(COUNT))!.count;
}

export const findAdmin = findBy("admin", "id");
/** Upper and lower case count as the same, as everywhere below. */
export const findAdminByUsername = findBy("admin", "username");
export const findAdminByEmail = findBy("admin", "email");
export const insertAdmin = insertInto("admin");

/** The account if its password may be reset: it has access, and its invitation was used. */
export function findUsableAdminByEmail(db: Db, email: string) {
  const usable = admins.where("inactive_since", "is", null).where("password_hash", "<>", "");
  return db.object(usable.where("email", "=", email));
}

export function hasSecondFactor(db: Db): boolean {
  return db.has(admins.where("totp_confirmed_at", "is not", null));
}

const update = updateBy("admin", "id");

export function updateAdmin(tx: Db, id: string, now: number, change: ChangeOf<AdminTable>): void {
  update(tx, id, { ...change, updatedAt: now });
}

/** Of every account, confirmed or not; sealed, except in old databases. */
export function listTotpSecrets(db: Db) {
  return db.objects(
    sqlite
      .selectFrom("admin")
      .select(["id", "totp_secret", "totp_confirmed_at"])
      .where("totp_secret", "is not", null)
      .$narrowType<{ totp_secret: string }>(),
  );
}

/** False if this step, or a later one, was used before: a code counts once. */
export function takeTotpStep(tx: Db, adminId: string, step: number): boolean {
  const account = sqlite.updateTable("admin").where("id", "=", adminId);
  const used = sqlite.fn.coalesce("totp_last_step", sql.lit(-1));
  return tx.run(account.set({ totp_last_step: step }).where(used, "<", step)) === 1;
}

export const insertSession = insertInto("admin_session");

type SessionRow = Selectable<AdminSessionTable> &
  Pick<Selectable<AdminTable>, "username" | "email" | "role" | "counselor_key" | "inactive_since">;

export function findStoredSession(db: Db, tokenHash: string) {
  // By hand: asked in every request of staff, and building it would take longer than running it.
  const row = db.firstRaw<SessionRow>(
    `SELECT s.*, a.username, a.email, a.role, a.counselor_key, a.inactive_since
     FROM admin_session s JOIN admin a ON a.id = s.admin_id WHERE s.token_hash = ?`,
    [tokenHash],
  );
  return row ? toFields(row) : null;
}

export const touchSession = updateBy("admin_session", "token_hash");

const sessionsGone = sqlite.deleteFrom("admin_session");

export function deleteSession(tx: Db, tokenHash: string): boolean {
  return tx.run(sessionsGone.where("token_hash", "=", tokenHash)) === 1;
}

/** Ends all sessions of an admin except the one named; returns how many. */
export function deleteSessionsOf(tx: Db, adminId: string, exceptTokenHash = ""): number {
  const others = sessionsGone.where("token_hash", "<>", exceptTokenHash);
  return tx.run(others.where("admin_id", "=", adminId));
}

export function deleteExpiredSessions(tx: Db, now: number): void {
  tx.run(sessionsGone.where("expires_at", "<=", now));
}

/** Live sessions, the most recently used first. */
export function listStoredSessions(db: Db, adminId: string, now: number) {
  return db.objects(
    sqlite
      .selectFrom("admin_session")
      .selectAll()
      .where("admin_id", "=", adminId)
      .where("expires_at", ">", now)
      .orderBy("last_seen_at", "desc"),
  );
}

/** One that was requested while the clock was ahead has ended. */
export function findCode(db: Db, of: CodeKey, now: number) {
  const live = sqlite.selectFrom("one_time_code").selectAll().where("expires_at", ">", now);
  const codes = live.where("requested_at", "<=", now);
  return db.object(codes.where("email_key", "=", of.emailKey).where("device", "=", of.device));
}

/** Deletes ended codes. Throws if the key has a live one. */
export function insertCode(tx: Db, code: NewOf<OneTimeCodeTable>, now: number): void {
  deleteEndedCodes(tx, now);
  tx.run(sqlite.insertInto("one_time_code").values(rowOf(code)));
}

export function countWrongTry(tx: Db, { emailKey, device }: CodeKey): void {
  const code = sqlite.updateTable("one_time_code").where("email_key", "=", emailKey);
  tx.run(code.where("device", "=", device).set((eb) => ({ tries: eb("tries", "+", 1) })));
}

/** Deletes all codes of an admin's account, for any address they were requested with. */
export const deleteCodesOf = deleteBy("one_time_code", "admin_id");

export function deleteEndedCodes(tx: Db, now: number): void {
  const ended = sqlite.deleteFrom("one_time_code");
  tx.run(ended.where((eb) => eb("expires_at", "<=", now).or("requested_at", ">", now)));
}

const accounts = sqlite
  .selectFrom("admin as a")
  .leftJoin("invitation as i", "i.admin_id", "a.id")
  .selectAll("a")
  .select("i.expires_at as invited_until");

/** By role in the order of the table of roles, then by name. */
export function listAccounts(db: Db) {
  return db.objects(
    accounts
      .orderBy((eb) => eb.case().when("role", "=", "owner").then(0).else(1).end())
      .orderBy("role", "desc")
      .orderBy("username"),
  );
}

export type Account = ReturnType<typeof listAccounts>[number];

export function findAccount(db: Db, username: string) {
  return db.object(accounts.where("username", "=", username));
}

/** The account whose open invitation has the token; null if it has expired. */
export function findInvited(db: Db, tokenHash: string, now: number) {
  return db.object(accounts.where("i.token_hash", "=", tokenHash).where("i.expires_at", ">", now));
}

/** Replaces the account's previous invitation. */
export const saveInvitation = replaceIn("invitation");
export const deleteInvitation = deleteBy("invitation", "admin_id");

/** True if the mail of an invitation to the address was given up since then. */
export function hasLostInvitation(db: Db, email: string, since: number): boolean {
  return db.has(
    sqlite
      .selectFrom("message")
      .select("id")
      .where("state", "=", sql.lit("failed"))
      .where("created_at", ">=", since)
      .where("kind", "=", "team_invitation")
      .where("recipient", "=", email),
  );
}

/** Owners who can sign in, but for the one named. */
export function countActiveOwners(db: Db, exceptId = ""): number {
  return db.first(
    sqlite
      .selectFrom("admin")
      .select(COUNT)
      .where("role", "=", "owner")
      .where("inactive_since", "is", null)
      .where("password_hash", "<>", "")
      .where("id", "<>", exceptId),
  )!.count;
}
