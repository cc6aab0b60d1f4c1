/** Messages may be held back. SQLite cannot change a CHECK, so the table is made anew, row by row. */
import { type Kysely, sql } from "kysely";

const COLUMNS = `id, cause, kind, channel, audience, recipient, appointment_id, data, state, attempts,
  next_try_at, lease_until, not_after, last_error, transport_id, created_at, sent_at`;

const statements = [
  `CREATE TABLE message_anew (
    id TEXT NOT NULL PRIMARY KEY,
    cause TEXT NOT NULL,
    kind TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'whatsapp')),
    audience TEXT NOT NULL CHECK (audience IN ('customer', 'counselor', 'admin')),
    recipient TEXT NOT NULL,
    appointment_id TEXT,
    data TEXT NOT NULL CHECK (json_valid(data)),
    state TEXT NOT NULL CHECK (state IN ('queued', 'retrying', 'sent', 'delivered', 'read', 'failed', 'held_back')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    lease_until INTEGER,
    not_after INTEGER,
    last_error TEXT,
    transport_id TEXT,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    UNIQUE (cause, channel, audience),
    CHECK (state <> 'held_back' OR (next_try_at IS NULL AND last_error IS NOT NULL))
  ) STRICT`,
  // The oldest keep the lowest row numbers: old messages are removed in that order.
  `INSERT INTO message_anew (rowid, ${COLUMNS}) SELECT rowid, ${COLUMNS} FROM message ORDER BY rowid`,
  `DROP TABLE message`,
  `ALTER TABLE message_anew RENAME TO message`,
  `CREATE INDEX message_due ON message (next_try_at) WHERE next_try_at IS NOT NULL`,
  `CREATE INDEX message_by_appointment ON message (appointment_id)`,
  `CREATE INDEX message_by_transport ON message (transport_id) WHERE transport_id IS NOT NULL`,
  `CREATE INDEX message_failed ON message (created_at) WHERE state = 'failed'`,
  // What an address got lately of what anybody may cause, and what was held back.
  `CREATE INDEX message_by_mailbox ON message (kind, lower(recipient))
    WHERE kind IN ('booking_unpaid', 'booking_links') AND state <> 'held_back'`,
  `CREATE INDEX message_held_back ON message (created_at, channel, kind) WHERE state = 'held_back'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
