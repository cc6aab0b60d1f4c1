/** The activity log: who did what, when, before and after. */
import { type Selectable, sql } from "kysely";
import type { ActivityAction, ActivityData, ActivityEntry } from "#app/model/activity.ts";
import { type ActivityLine, activityLine } from "#app/model/activity-words.ts";
import { actorNamed } from "#app/model/actor.ts";
import { anyObject, storedJson } from "#app/model/stored-json.ts";
import { COUNT, type Db, inTransaction, sqlite } from "#db/connection.server.ts";
import type { ActivityTable } from "#db/tables.ts";
import { clean, phrase, SHORTEST_PART } from "./appointment-search.server.ts";

const activity = sqlite.selectFrom("activity");

/** An entry with its line as it was written. */
export type LoggedEntry = ActivityEntry & Pick<ActivityLine, "words" | "about">;

function toEntry(row: Selectable<ActivityTable>): LoggedEntry {
  const entry = {
    at: row.at,
    actor: row.actor,
    role: row.role,
    action: row.action as ActivityAction,
    target: row.target,
    before: dataOf(row.before),
    after: dataOf(row.after),
  };
  const { words, about } = row.words ? row : activityLine(entry, () => undefined);
  return { ...entry, words, about };
}

function dataOf(text: string | null): ActivityData | null {
  return text === null ? null : storedJson("activity", text, anyObject, {});
}

/** Written inside the transaction of the change itself, so that neither exists without the other. */
export function logActivity(
  db: Db,
  entry: Pick<ActivityEntry, "at" | "actor" | "action"> & Partial<ActivityEntry>,
): void {
  const whole = { role: null, target: null, before: null, after: null, ...entry };
  const { at, actor, role, action, target } = whole;
  inTransaction(db, (tx) => {
    const { words, about, sought } = activityLine(whole, nameIn(tx));
    const [before, after] = [textOf(whole.before), textOf(whole.after)];
    const row = { at, actor, role, action, target, before, after, words, about, line: sought };
    tx.run(sqlite.insertInto("activity").values(row));
  });
}

const MOVE = { ...actorNamed({ kind: "customer" }), action: "reschedule" } as const;
const movesOf = sql<number>`coalesce(json_extract("after", '$.moves'), 1)`;
const ofMoves = (target: string) =>
  activity
    .where("target", "=", target)
    .where("action", "=", MOVE.action)
    .where("actor", "=", MOVE.actor);

/** How often customers have moved a booking. */
export function countMoves(db: Db, target: string): number {
  const moves = ofMoves(target).select(({ fn }) => fn.sum<number | null>(movesOf).as("count"));
  return db.first(moves)?.count ?? 0;
}

/** All moves of an unpaid booking by its customer are one entry: from where first, to where last. */
export function logUnpaidMove(
  tx: Db,
  target: string,
  at: number,
  data: { before: ActivityData; after: ActivityData },
): void {
  const last = tx.first(ofMoves(target).selectAll().orderBy("id", "desc").limit(1));
  const before = dataOf(last?.before ?? null) ?? data.before;
  const moves = countMoves(tx, target) + 1;
  if (last) tx.run(sqlite.deleteFrom("activity").where("id", "=", last.id));
  const after = { ...data.after, ...(last && { moves }) };
  logActivity(tx, { at, ...MOVE, target, before, after });
}

function nameIn(tx: Db) {
  return (key: string) =>
    tx.firstRaw<{ name: string }>("SELECT name FROM counselor WHERE key = ?", [key])?.name;
}

function textOf(data: ActivityData | null): string | null {
  return data && JSON.stringify(data);
}

/** Newest first. `q` is sought in all that a line shows, in its action and target; pages from 1. */
export function listActivity(
  db: Db,
  { q, page, pageSize }: { q?: string | undefined; page: number; pageSize: number },
): { entries: LoggedEntry[]; total: number } {
  const found = clean(q ?? "");
  const matching = found ? activity.where(contains(found)) : activity;
  const offset = (page - 1) * pageSize;
  // Of many matches the index reads no more than the page.
  const ofPage = isShort(found)
    ? matching.limit(pageSize).offset(offset)
    : activity.where(contains(found, sql`ORDER BY rowid DESC LIMIT ${pageSize} OFFSET ${offset}`));
  return {
    entries: db.all(ofPage.selectAll().orderBy("id", "desc")).map(toEntry),
    total: db.first(matching.select(COUNT))!.count,
  };
}

/** What happened to one thing, oldest first. */
export function listActivityOf(db: Db, target: string): LoggedEntry[] {
  return db.all(activity.selectAll().where("target", "=", target).orderBy("id")).map(toEntry);
}

/** Keeps who did what and when, and removes personal data, from the search too. */
export function eraseActivityData(tx: Db, target: string): void {
  eraseData(tx, tx.all(activity.selectAll().where("target", "=", target)));
}

/** The same for every line until an instant that contains the contact. */
export function eraseActivityNaming(tx: Db, contact: string, until: number): void {
  const said = sql<boolean>`instr(lower(coalesce("before", '') || coalesce("after", '')), lower(${contact}))`;
  const lines = activity.selectAll().where("at", "<=", until).where(said);
  // Not where it is only part of a longer address or number.
  const escaped = contact.replace(/[^\w@]/g, "\\$&");
  const whole = new RegExp(`(?<![\\w.+%-])${escaped}(?!-?\\w|\\.\\w)`, "i");
  const plainOf = (row: Selectable<ActivityTable>) =>
    `${row.before} ${row.after}`.replace(/\\(u\w{4}|.)/g, " ");
  eraseData(
    tx,
    tx.all(lines).filter((row) => whole.test(plainOf(row))),
  );
}

/** Shortens long entries from before an instant to who did what and when; returns how many. */
export function thinActivity(tx: Db, before: number, limit: number): number {
  const long = sql<boolean>`length("before") + length("after") > 2000`;
  const rows = tx.all(activity.selectAll().where(long).where("at", "<", before).limit(limit));
  eraseData(tx, rows);
  return rows.length;
}

function eraseData(tx: Db, rows: readonly Selectable<ActivityTable>[]): void {
  for (const row of rows) {
    const erased = { ...toEntry(row), before: null, after: null };
    const { words, about, sought } = activityLine(erased, nameIn(tx));
    const change = { before: null, after: null, words, about, line: sought };
    tx.run(sqlite.updateTable("activity").set(change).where("id", "=", row.id));
  }
}

/**
 * Matches lines that contain every word. The index has no words under three characters, so a short
 * word is sought as part of the whole text; if that is short too, the shown columns are read.
 */
function contains(text: string, page = sql``) {
  if (isShort(text)) {
    const like = sql`LIKE ${`%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`} ESCAPE '\\'`;
    return sql<boolean>`(words ${like} OR about ${like} OR actor ${like})`;
  }
  const words = text.split(" ");
  const match = words.some(isShort) ? phrase(text) : words.map(phrase).join(" AND ");
  return sql<boolean>`id IN (SELECT rowid FROM activity_search WHERE activity_search MATCH ${match} ${page})`;
}

function isShort(text: string): boolean {
  return [...text].length < SHORTEST_PART;
}
