/** Captains' imported calendars, and the busy times that were read from them. */
import { deleteBy, findBy, replaceIn, updateBy } from "#db/by-column.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";
import type { BusyCalendarTable } from "#db/offer-tables.ts";
import type { Stored } from "#db/row-fields.ts";

export type BusyCalendar = Stored<BusyCalendarTable>;

const calendars = sqlite.selectFrom("busy_calendar").selectAll();

export const findBusyCalendar = findBy("busy_calendar", "counselor_key");
/** Takes the place of the captain's one before. */
export const saveBusyCalendar = replaceIn("busy_calendar");
export const updateBusyCalendar = updateBy("busy_calendar", "counselor_key");
export const deleteBusyCalendar = deleteBy("busy_calendar", "counselor_key");

export function listBusyCalendars(db: Db) {
  return db.objects(calendars);
}

export function listDueCalendars(db: Db, now: number) {
  return db.objects(calendars.where("next_read_at", "<=", now).orderBy("next_read_at"));
}

/** Calendars that have failed since before an instant and that nobody was notified of. */
export function listFailingCalendars(db: Db, since: number) {
  return db.objects(
    calendars
      .innerJoin("counselor", "counselor.key", "busy_calendar.counselor_key")
      .select("counselor.name as counselor_name")
      .where("failing_since", "<=", since)
      .where("told_at", "is", null),
  );
}

/** How many busy times end after `now`. */
export function countBusyTimes(db: Db, counselorKey: string, now: number): number {
  const ofCounselor = sqlite.selectFrom("busy_time").where("counselor_key", "=", counselorKey);
  const ahead = ofCounselor.where("is_last", "=", 1).where("ends_at", ">", now);
  return db.first(ahead.select(COUNT))!.count;
}

interface Part {
  startsAt: number;
  endsAt: number;
  /** Stored as 0 or 1. */
  isLast: boolean | number;
}

function keyOf({ startsAt, endsAt, isLast }: Part): string {
  return [startsAt, endsAt, Number(isLast)].join();
}

/** Replaces the captain's busy times; writes and deletes only the differences. */
export function replaceBusyTimes(tx: Db, counselorKey: string, parts: readonly Part[]): void {
  const stored = tx.all(
    sqlite
      .selectFrom("busy_time")
      .select(["id", "starts_at as startsAt", "ends_at as endsAt", "is_last as isLast"])
      .where("counselor_key", "=", counselorKey),
  );
  const unmatched = Map.groupBy(stored, keyOf);
  const added = parts.filter((part) => unmatched.get(keyOf(part))?.pop() === undefined);
  const gone = [...unmatched.values()].flat().map(({ id }) => id);
  // A list of ten thousand is too long for parameters of a statement.
  if (gone.length > 0) {
    tx.runRaw("DELETE FROM busy_time WHERE id IN (SELECT value FROM json_each(?))", [
      JSON.stringify(gone),
    ]);
  }
  if (added.length > 0) {
    tx.runRaw(
      `INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last)
       SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
      [counselorKey, JSON.stringify(added.map((p) => [p.startsAt, p.endsAt, Number(p.isLast)]))],
    );
  }
}
