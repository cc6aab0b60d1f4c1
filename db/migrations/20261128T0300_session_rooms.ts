/**
 * A room for each session. A captain may have an address with a place for a code, or meetings that
 * another server makes; a booking keeps the address of its own room. `session_room` is the queue of
 * what that server has or is to make: a row without an appointment is to be deleted there.
 */
import { type Kysely, sql } from "kysely";

const STATEMENTS = [
  "ALTER TABLE counselor ADD COLUMN room_kind TEXT CHECK (room_kind IN ('pattern', 'zoom'))",
  "ALTER TABLE counselor ADD COLUMN room_address TEXT",
  "ALTER TABLE appointment ADD COLUMN room_kind TEXT CHECK (room_kind IN ('link', 'pattern', 'zoom'))",
  "ALTER TABLE appointment ADD COLUMN room_url TEXT",
  `CREATE TABLE session_room (
    room_key TEXT PRIMARY KEY,
    appointment_id TEXT UNIQUE,
    host TEXT,
    meeting_id TEXT,
    made_for INTEGER,
    unsure_since INTEGER,
    fell_back_at INTEGER,
    next_try_at INTEGER,
    lease_until INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    created_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX session_room_due ON session_room (next_try_at) WHERE next_try_at IS NOT NULL",
  "CREATE INDEX session_room_fallback ON session_room (fell_back_at) WHERE fell_back_at IS NOT NULL",
  `CREATE TRIGGER session_room_over AFTER UPDATE OF status, personal_data_erased_at ON appointment
    WHEN NEW.status = 'cancelled' OR NEW.personal_data_erased_at IS NOT NULL BEGIN
      UPDATE session_room SET appointment_id = NULL, next_try_at = 0, attempts = 0
      WHERE appointment_id = NEW.id;
    END`,
  `CREATE TRIGGER session_room_gone AFTER DELETE ON appointment BEGIN
      UPDATE session_room SET appointment_id = NULL, next_try_at = 0, attempts = 0
      WHERE appointment_id = OLD.id;
    END`,
  `CREATE TRIGGER session_room_moved AFTER UPDATE OF starts_at ON appointment
    WHEN NEW.starts_at <> OLD.starts_at BEGIN
      UPDATE session_room SET next_try_at = 0, attempts = 0
      WHERE appointment_id = NEW.id AND fell_back_at IS NULL;
    END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
