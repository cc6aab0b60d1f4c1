/**
 * A booking may be for a student other than who booked; for one under 18, a guardian confirms by a
 * mailed link. Each package has questions, and a paid booking their answers.
 */
import { type Kysely, sql } from "kysely";

const statements = [
  "ALTER TABLE appointment ADD COLUMN student_name TEXT",
  `ALTER TABLE appointment ADD COLUMN student_under_18 INTEGER NOT NULL DEFAULT 0
    CHECK (student_under_18 IN (0, 1))`,
  "ALTER TABLE appointment ADD COLUMN student_relation TEXT",
  `CREATE TABLE guardian (
    appointment_id TEXT NOT NULL PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    confirmed_at INTEGER,
    relation TEXT,
    words TEXT,
    CHECK ((confirmed_at IS NULL) = (words IS NULL))
  ) STRICT, WITHOUT ROWID`,
  `ALTER TABLE package ADD COLUMN questions TEXT NOT NULL DEFAULT '[]'
    CHECK (json_valid(questions))`,
  `CREATE TABLE preparation (
    appointment_id TEXT NOT NULL PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
    answers TEXT NOT NULL CHECK (json_valid(answers)),
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
