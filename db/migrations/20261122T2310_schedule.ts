/**
 * Weekly hours, leave, imported busy times, and the sessions that were kept on purpose inside time
 * that was taken away. Sessions of before that begin outside their day's times count as kept.
 */
import { type Kysely, sql } from "kysely";
import { changesOffer } from "./20261122T2300_catalogue.ts";

const tables = [
  `CREATE TABLE weekly_hours (
    counselor_key TEXT NOT NULL PRIMARY KEY REFERENCES counselor (key),
    week TEXT CHECK (json_valid(week)),
    buffer_minutes INTEGER NOT NULL CHECK (buffer_minutes BETWEEN 0 AND 120),
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE leave (
    id TEXT NOT NULL PRIMARY KEY,
    counselor_key TEXT REFERENCES counselor (key),
    from_date TEXT NOT NULL,
    to_date TEXT NOT NULL CHECK (to_date >= from_date),
    reason TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX leave_by_end ON leave (to_date)",
  `CREATE TABLE busy_calendar (
    counselor_key TEXT NOT NULL PRIMARY KEY REFERENCES counselor (key),
    sealed_url TEXT NOT NULL,
    host TEXT NOT NULL,
    etag TEXT,
    whole_read_at INTEGER,
    last_read_at INTEGER,
    next_read_at INTEGER NOT NULL,
    failing_since INTEGER,
    told_at INTEGER,
    error TEXT,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE busy_time (
    id INTEGER PRIMARY KEY,
    counselor_key TEXT NOT NULL REFERENCES counselor (key),
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
    is_last INTEGER NOT NULL CHECK (is_last IN (0, 1))
  ) STRICT`,
  "CREATE INDEX busy_time_by_start ON busy_time (counselor_key, starts_at, ends_at)",
  `CREATE TABLE kept_clash (
    appointment_id TEXT NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
    counselor_key TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    kept_by TEXT NOT NULL,
    kept_at INTEGER NOT NULL,
    PRIMARY KEY (appointment_id, counselor_key, starts_at, cause)
  ) STRICT, WITHOUT ROWID`,
  ...["weekly_hours", "leave", "busy_time", "kept_clash"].flatMap(changesOffer),
  `INSERT INTO kept_clash (appointment_id, counselor_key, starts_at, cause, kept_by, kept_at)
   SELECT a.id, a.counselor_key, a.starts_at, 'hours', 'system', a.updated_at
   FROM session_time s JOIN appointment a ON a.id = s.appointment_id
   LEFT JOIN availability v ON v.counselor_key = a.counselor_key AND v.on_date = a.on_date
   WHERE a.time_slot NOT IN (SELECT value FROM json_each(
     coalesce(v.time_slots, (SELECT default_times FROM offer_settings))))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db);
}
