/** What comes after a session: its plan, its rating; and who said at its hour that the other is missing. */
import { type Kysely, sql } from "kysely";

const CHANGES_OFFER = "BEGIN UPDATE offer_version SET version = version + 1; END";

const STATEMENTS = [
  `CREATE TABLE plan (
    appointment_id TEXT NOT NULL PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
    text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 5000),
    sent_at INTEGER,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  // Stars outlive the booking, without anything that leads to a person.
  `CREATE TABLE rating (
    id TEXT NOT NULL PRIMARY KEY,
    appointment_id TEXT UNIQUE REFERENCES appointment (id) ON DELETE SET NULL,
    counselor_key TEXT NOT NULL,
    token_hash TEXT UNIQUE,
    asked_at INTEGER NOT NULL,
    stars INTEGER CHECK (stars BETWEEN 1 AND 5),
    text TEXT CHECK (length(text) BETWEEN 1 AND 600),
    shown INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 1)),
    hidden TEXT CHECK (hidden IN ('private_data', 'abuse', 'not_about_session')),
    rated_at INTEGER,
    CHECK ((stars IS NULL) = (rated_at IS NULL)),
    CHECK (text IS NULL OR stars IS NOT NULL)
  ) STRICT`,
  `CREATE INDEX rating_given ON rating (counselor_key, rated_at) WHERE stars IS NOT NULL`,
  // A captain's card and page show them.
  `CREATE TRIGGER rating_changes_offer AFTER UPDATE ON rating ${CHANGES_OFFER}`,
  `CREATE TRIGGER rating_changes_offer_delete AFTER DELETE ON rating
    WHEN OLD.stars IS NOT NULL ${CHANGES_OFFER}`,
  // Once for each time of a session, and each side.
  `CREATE TABLE help_call (
    appointment_id TEXT NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
    starts_at INTEGER NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('customer', 'captain')),
    called_at INTEGER NOT NULL,
    asks TEXT CHECK (asks IN ('move', 'refund')),
    asked_date TEXT,
    asked_time TEXT,
    settled_at INTEGER,
    PRIMARY KEY (appointment_id, starts_at, side),
    CHECK ((asks IS 'move') = (asked_date IS NOT NULL AND asked_time IS NOT NULL))
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX help_call_open ON help_call (called_at) WHERE settled_at IS NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
