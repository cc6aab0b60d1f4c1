/** The activity log: who did what, when, before and after. */
import type { ActivityAction, ActivityData, ActivityEntry } from "#app/model/activity.ts";
import { anyObject, storedJson } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";

interface ActivityRow {
  at: number;
  actor: string;
  action: string;
  target: string | null;
  before: string | null;
  after: string | null;
}

const COLUMNS = `at, actor, action, target, "before", "after"`;

function toEntry(row: ActivityRow): ActivityEntry {
  return {
    at: row.at,
    actor: row.actor,
    action: row.action as ActivityAction,
    target: row.target,
    before: dataOf(row.before),
    after: dataOf(row.after),
  };
}

function dataOf(text: string | null): ActivityData | null {
  return text === null ? null : storedJson("activity", text, anyObject, {});
}

/** Written inside the transaction of the change itself, so that neither exists without the other. */
export function logActivity(
  tx: Db,
  entry: Omit<ActivityEntry, "target" | "before" | "after"> & Partial<ActivityEntry>,
): void {
  tx.runRaw(
    `INSERT INTO activity (at, actor, action, target, "before", "after") VALUES (?, ?, ?, ?, ?, ?)`,
    [
      entry.at,
      entry.actor,
      entry.action,
      entry.target ?? null,
      entry.before ? JSON.stringify(entry.before) : null,
      entry.after ? JSON.stringify(entry.after) : null,
    ],
  );
}

export interface ActivityPage {
  entries: ActivityEntry[];
  total: number;
}

/** Newest first. `q` is sought in actor, action and target; `page` counts from 1. */
export function listActivity(
  db: Db,
  { q, page, pageSize }: { q?: string | undefined; page: number; pageSize: number },
): ActivityPage {
  const pattern = q ? likePattern(q) : null;
  const where =
    pattern === null
      ? ""
      : `WHERE actor LIKE ? ESCAPE '\\' OR action LIKE ? ESCAPE '\\' OR target LIKE ? ESCAPE '\\'`;
  const parameters = pattern === null ? [] : [pattern, pattern, pattern];
  const { total } = db.firstRaw<{ total: number }>(
    `SELECT count(*) AS total FROM activity ${where}`,
    parameters,
  )!;
  const rows = db.allRaw<ActivityRow>(
    `SELECT ${COLUMNS} FROM activity ${where} ORDER BY id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
    parameters,
  );
  return { entries: rows.map(toEntry), total };
}

/** What happened to one thing, oldest first. */
export function listActivityOf(db: Db, target: string): ActivityEntry[] {
  return db
    .allRaw<ActivityRow>(`SELECT ${COLUMNS} FROM activity WHERE target = ? ORDER BY id`, [target])
    .map(toEntry);
}

/** Keeps who did what and when; what it said of the person goes. */
export function eraseActivityData(tx: Db, target: string): void {
  tx.runRaw(`UPDATE activity SET "before" = NULL, "after" = NULL WHERE target = ?`, [target]);
}

/** A LIKE pattern (with `\` as its escape) for text anywhere. */
function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}
