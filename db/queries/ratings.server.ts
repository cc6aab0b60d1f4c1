/** Ratings of sessions that took place. */
import { sql } from "kysely";
import type { HiddenReason } from "#app/model/after-session.ts";
import { MINUTE } from "#app/model/dates.ts";
import { LONGEST_SESSION_MINUTES } from "#app/model/day-plan.ts";
import { insertInto } from "#db/by-column.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import { type Ended, paidAndEnded } from "./reminders.server.ts";

/** Fields of the booking are null once it is erased or deleted. */
const ratings = sqlite
  .selectFrom("rating as r")
  .leftJoin("appointment as a", "a.id", "r.appointment_id")
  .innerJoin("counselor as c", "c.key", "r.counselor_key")
  .select(["r.id", "r.stars", "r.text", "r.shown", "r.hidden", "a.name"])
  .select(["r.appointment_id as appointmentId", "r.counselor_key as counselorKey"])
  .select(["r.rated_at as ratedAt", "c.name as counselor"])
  .select(["r.starts_at as startsAt", "a.status", "a.attendance"]);

export type Rating = NonNullable<ReturnType<typeof findRating>>;

export function findRating(db: Db, id: string) {
  return db.first(ratings.where("r.id", "=", id));
}

export function findRatingOfToken(db: Db, tokenHash: string): Rating | null {
  return db.first(ratings.where("r.token_hash", "=", tokenHash));
}

/** Newest first, without withdrawn ones; of one captain or of all. */
export function listRatings(
  db: Db,
  { counselorKey, limit, offset = 0 }: { counselorKey?: string; limit: number; offset?: number },
): Rating[] {
  const given = ratings
    .where("r.stars", "is not", null)
    .orderBy("r.rated_at", "desc")
    .orderBy("r.id");
  const own =
    counselorKey === undefined ? given : given.where("r.counselor_key", "=", counselorKey);
  return db.all(own.limit(limit).offset(offset));
}

/** Without withdrawn ones. */
export function countRatings(db: Db): number {
  return db.firstRaw<{ count: number }>(
    "SELECT count(*) AS count FROM rating WHERE stars IS NOT NULL",
  )!.count;
}

/** The number and the sum of stars of a captain's ratings, including hidden ones. */
export function sumRatings(
  db: Db,
  counselorKey: string,
): { count: number; stars: number; hidden: number } {
  return db.firstRaw(
    `SELECT count(*) AS count, coalesce(sum(stars), 0) AS stars,
       count(*) FILTER (WHERE hidden IS NOT NULL AND text IS NOT NULL AND shown = 1) AS hidden
     FROM rating WHERE counselor_key = ? AND stars IS NOT NULL`,
    [counselorKey],
  )!;
}

export const insertRating = insertInto("rating");

interface Given {
  stars: number | null;
  text: string | null;
  shown: boolean;
}

/** Null stars withdraw it. */
export function giveRating(tx: Db, id: string, { stars, text, shown }: Given, now: number): void {
  const given = { stars, text, shown: Number(shown), rated_at: stars === null ? null : now };
  tx.run(sqlite.updateTable("rating").set(given).where("id", "=", id));
}

export function hideRating(tx: Db, id: string, hidden: HiddenReason | null): void {
  tx.run(sqlite.updateTable("rating").set({ hidden }).where("id", "=", id));
}

/** Ends the link of a rating that was not given, or was withdrawn. */
export function forgetUnanswered(tx: Db, appointmentId: string): void {
  const own = sqlite.deleteFrom("rating").where("appointment_id", "=", appointmentId);
  tx.run(own.where("stars", "is", null));
}

/** Removes everything that identifies a person; given stars still count. */
export function eraseRating(tx: Db, appointmentId: string): void {
  forgetUnanswered(tx, appointmentId);
  const words = { text: null, shown: 0, hidden: null };
  const nobody = { appointment_id: null, starts_at: null, token_hash: null, ...words };
  tx.run(sqlite.updateTable("rating").set(nobody).where("appointment_id", "=", appointmentId));
}

/**
 * Completed sessions that ended between two instants, whose attendance was not changed since the
 * second, and whose customer was not asked yet.
 */
export function listToRate(db: Db, ended: Ended, limit: number): string[] {
  const isAsked = sql<boolean>`EXISTS (SELECT 1 FROM rating r WHERE r.appointment_id = a.id)`;
  const isNew = sql<boolean>`EXISTS (SELECT 1 FROM activity l
    WHERE l.target = a.id AND l.action = 'attendance' AND l.at > ${ended.until})`;
  const due = sqlite
    .selectFrom("appointment as a")
    .select("a.id")
    .where(paidAndEnded(ended, "completed"))
    // For the index, so that only the last week is read.
    .where("a.starts_at", ">=", ended.since - LONGEST_SESSION_MINUTES * MINUTE)
    .where("a.starts_at", "<", ended.until)
    .where("a.personal_data_erased_at", "is", null)
    .where((eb) => eb.not(isAsked))
    .where((eb) => eb.not(isNew));
  return db.all(due.orderBy("a.starts_at").limit(limit)).map(({ id }) => id);
}
