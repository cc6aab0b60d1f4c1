/** Admin accounts, their sessions, and the codes of the reset flow. */
import type { Insertable, Selectable, Updateable } from "kysely";
import { type Db, sqlite } from "#db/connection.server.ts";
import type { AdminSessionTable, AdminTable, OneTimeCodeTable } from "#db/tables.ts";

export type AdminRow = Selectable<AdminTable>;
export type SessionRow = Selectable<AdminSessionTable>;
export type CodeRow = Selectable<OneTimeCodeTable>;

/** Whose code it is: one lives for each known browser, and one for everybody else. */
export interface CodeKey {
  /** Of the e-mail address as submitted. */
  emailKey: string;
  /** Of a browser that has signed in to the address's account; empty for everybody else. */
  device: string;
}

export function countAdmins(db: Db): number {
  return db.firstRaw<{ count: number }>(`SELECT count(*) AS count FROM admin`)!.count;
}

export function findAdmin(db: Db, id: string): AdminRow | null {
  return db.firstRaw<AdminRow>(`SELECT * FROM admin WHERE id = ?`, [id]) ?? null;
}

/** Upper and lower case count as the same, as everywhere below. */
export function findAdminByUsername(db: Db, username: string): AdminRow | null {
  return db.firstRaw<AdminRow>(`SELECT * FROM admin WHERE username = ?`, [username]) ?? null;
}

export function findAdminByEmail(db: Db, email: string): AdminRow | null {
  return db.firstRaw<AdminRow>(`SELECT * FROM admin WHERE email = ?`, [email]) ?? null;
}

export function insertAdmin(tx: Db, row: Insertable<AdminTable>): void {
  tx.run(sqlite.insertInto("admin").values(row));
}

export function updateAdmin(
  tx: Db,
  id: string,
  now: number,
  change: Omit<Updateable<AdminTable>, "id" | "updated_at">,
): void {
  tx.run(
    sqlite
      .updateTable("admin")
      .set({ ...change, updated_at: now })
      .where("id", "=", id),
  );
}

/** Of every account that has one, on or only begun; sealed, but for those of old databases. */
export function listTotpSecrets(db: Db) {
  return db.allRaw<Pick<AdminRow, "id" | "totp_confirmed_at"> & { totp_secret: string }>(
    `SELECT id, totp_secret, totp_confirmed_at FROM admin WHERE totp_secret IS NOT NULL`,
  );
}

/** False if this step, or a later one, was used before: a code counts once. */
export function takeTotpStep(tx: Db, adminId: string, step: number): boolean {
  return (
    tx.runRaw(
      `UPDATE admin SET totp_last_step = ?
       WHERE id = ? AND (totp_last_step IS NULL OR totp_last_step < ?)`,
      [step, adminId, step],
    ) === 1
  );
}

export function insertSession(tx: Db, row: Insertable<AdminSessionTable>): void {
  tx.run(sqlite.insertInto("admin_session").values(row));
}

export interface SessionWithAdmin extends SessionRow {
  username: string;
  email: string;
}

export function findSessionRow(db: Db, tokenHash: string): SessionWithAdmin | null {
  return (
    db.firstRaw<SessionWithAdmin>(
      `SELECT s.*, a.username, a.email FROM admin_session s JOIN admin a ON a.id = s.admin_id
       WHERE s.token_hash = ?`,
      [tokenHash],
    ) ?? null
  );
}

export function touchSession(
  db: Db,
  tokenHash: string,
  { lastSeenAt, expiresAt }: { lastSeenAt: number; expiresAt: number },
): void {
  db.runRaw(`UPDATE admin_session SET last_seen_at = ?, expires_at = ? WHERE token_hash = ?`, [
    lastSeenAt,
    expiresAt,
    tokenHash,
  ]);
}

export function deleteSession(tx: Db, tokenHash: string): boolean {
  return tx.runRaw(`DELETE FROM admin_session WHERE token_hash = ?`, [tokenHash]) === 1;
}

/** Ends every session of an admin but the one named; answers how many. */
export function deleteSessionsOf(tx: Db, adminId: string, exceptTokenHash = ""): number {
  return tx.runRaw(`DELETE FROM admin_session WHERE admin_id = ? AND token_hash <> ?`, [
    adminId,
    exceptTokenHash,
  ]);
}

export function deleteExpiredSessions(tx: Db, now: number): void {
  tx.runRaw(`DELETE FROM admin_session WHERE expires_at <= ?`, [now]);
}

/** Live sessions, the one seen last first. */
export function listSessionRows(db: Db, adminId: string, now: number): SessionRow[] {
  return db.allRaw<SessionRow>(
    `SELECT * FROM admin_session WHERE admin_id = ? AND expires_at > ? ORDER BY last_seen_at DESC`,
    [adminId, now],
  );
}

export function findCode(db: Db, of: CodeKey, now: number): CodeRow | null {
  return (
    db.firstRaw<CodeRow>(
      `SELECT * FROM one_time_code WHERE email_key = ? AND device = ? AND expires_at > ?`,
      [of.emailKey, of.device, now],
    ) ?? null
  );
}

/** Sweeps old ones. Throws if the key has a live one. */
export function insertCode(tx: Db, row: Insertable<OneTimeCodeTable>, now: number): void {
  tx.runRaw(`DELETE FROM one_time_code WHERE expires_at <= ?`, [now]);
  tx.run(sqlite.insertInto("one_time_code").values(row));
}

export function countWrongTry(tx: Db, { emailKey, device }: CodeKey): void {
  tx.runRaw(`UPDATE one_time_code SET tries = tries + 1 WHERE email_key = ? AND device = ?`, [
    emailKey,
    device,
  ]);
}

/** Of an admin, for whichever address they were asked. */
export function deleteCodesOf(tx: Db, adminId: string): void {
  tx.runRaw(`DELETE FROM one_time_code WHERE admin_id = ?`, [adminId]);
}
