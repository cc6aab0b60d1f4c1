/** The activity log: who did what, when, before and after. */
import { type Selectable, sql } from "kysely";
import type { ActivityAction, ActivityData, ActivityEntry } from "#app/model/activity.ts";
import { anyObject, storedJson } from "#app/model/stored-json.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";
import type { ActivityTable } from "#db/tables.ts";

const activity = sqlite.selectFrom("activity");

function toEntry(row: Selectable<ActivityTable>): ActivityEntry {
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
  const { at, actor, action, target = null } = entry;
  const [before, after] = [textOf(entry.before), textOf(entry.after)];
  tx.run(sqlite.insertInto("activity").values({ at, actor, action, target, before, after }));
}

function textOf(data: ActivityData | null | undefined): string | null {
  return data ? JSON.stringify(data) : null;
}

/** Newest first. `q` is sought in actor, action and target; `page` counts from 1. */
export function listActivity(
  db: Db,
  { q, page, pageSize }: { q?: string | undefined; page: number; pageSize: number },
): { entries: ActivityEntry[]; total: number } {
  const matching = q ? activity.where(contains(q)) : activity;
  const newest = matching.selectAll().orderBy("id", "desc");
  return {
    entries: db.all(newest.limit(pageSize).offset((page - 1) * pageSize)).map(toEntry),
    total: db.first(matching.select(COUNT))!.count,
  };
}

/** What happened to one thing, oldest first. */
export function listActivityOf(db: Db, target: string): ActivityEntry[] {
  return db.all(activity.selectAll().where("target", "=", target).orderBy("id")).map(toEntry);
}

/** Keeps who did what and when; what it said of the person goes. */
export function eraseActivityData(tx: Db, target: string): void {
  const erased = { before: null, after: null };
  tx.run(sqlite.updateTable("activity").set(erased).where("target", "=", target));
}

function contains(text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
  const like = sql`LIKE ${pattern} ESCAPE '\\'`;
  return sql<boolean>`(actor ${like} OR action ${like} OR target ${like})`;
}
