/** The whole first schema: STRICT tables, and the three impossibilities as constraints. */
import { type Kysely, sql } from "kysely";

const statements = [
  `CREATE TABLE appointment (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    counselor_key TEXT NOT NULL,
    counselor_name TEXT NOT NULL,
    on_date TEXT NOT NULL,
    time_slot TEXT NOT NULL,
    minutes INTEGER NOT NULL CHECK (minutes BETWEEN 5 AND 240),
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CHECK (ends_at = starts_at + minutes * 60000),
    base_paise INTEGER NOT NULL CHECK (base_paise > 0),
    gst_paise INTEGER NOT NULL CHECK (gst_paise >= 0),
    total_paise INTEGER NOT NULL CHECK (total_paise = base_paise + gst_paise),
    status TEXT NOT NULL CHECK (status IN ('pending_payment', 'confirmed', 'cancelled', 'rescheduled')),
    state_code TEXT,
    notes TEXT,
    pay_before INTEGER,
    hold_until INTEGER,
    renewals INTEGER NOT NULL DEFAULT 0,
    cancel_reason TEXT,
    calendar_uid TEXT NOT NULL UNIQUE,
    calendar_sequence INTEGER NOT NULL DEFAULT 0,
    client_address TEXT,
    notice_version TEXT NOT NULL,
    notice_at INTEGER NOT NULL,
    personal_data_erased_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX appointment_by_creation ON appointment (created_at)`,
  `CREATE INDEX appointment_by_amount ON appointment (total_paise, seq)`,
  `CREATE INDEX appointment_by_counselor ON appointment (counselor_key, on_date, time_slot)`,
  `CREATE INDEX appointment_by_email ON appointment (lower(email))`,
  `CREATE INDEX appointment_unpaid ON appointment (hold_until) WHERE status = 'pending_payment'`,
  `CREATE INDEX appointment_upcoming ON appointment (starts_at) WHERE status IN ('confirmed', 'rescheduled')`,
  `CREATE INDEX appointment_by_tail6 ON appointment (substr(id, -6))`,
  `CREATE INDEX appointment_by_tail8 ON appointment (substr(id, -8))`,

  `CREATE TABLE session_time (
    appointment_id TEXT NOT NULL PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
    counselor_key TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CHECK (ends_at - starts_at BETWEEN 300000 AND 14400000),
    held_until INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX session_time_by_start ON session_time (counselor_key, starts_at, ends_at, held_until)`,
  `CREATE INDEX session_time_held ON session_time (held_until) WHERE held_until IS NOT NULL`,
  ...["INSERT", "UPDATE OF counselor_key, starts_at, ends_at"].map(
    (event, i) => `CREATE TRIGGER session_time_no_overlap_${i} BEFORE ${event} ON session_time BEGIN
    SELECT RAISE(ABORT, 'slot_taken') WHERE EXISTS (
      SELECT 1 FROM session_time
      WHERE counselor_key = NEW.counselor_key
        AND starts_at < NEW.ends_at AND starts_at > NEW.starts_at - 14400000
        AND ends_at > NEW.starts_at
        AND appointment_id <> NEW.appointment_id);
    END`,
  ),

  `CREATE TABLE availability (
    counselor_key TEXT NOT NULL,
    on_date TEXT NOT NULL,
    time_slots TEXT NOT NULL CHECK (json_valid(time_slots)),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (counselor_key, on_date)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE block (
    counselor_key TEXT NOT NULL,
    on_date TEXT NOT NULL,
    time_slot TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (counselor_key, on_date, time_slot)
  ) STRICT, WITHOUT ROWID`,

  // What the public page depends on: raised by every change, also of another process.
  `CREATE TABLE offer_version (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT`,
  `INSERT INTO offer_version (id, version) VALUES (1, 1)`,
  ...["session_time", "availability", "block"].flatMap((table) =>
    ["INSERT", "UPDATE", "DELETE"].map(
      (
        event,
      ) => `CREATE TRIGGER ${table}_changes_offer_${event.toLowerCase()} AFTER ${event} ON ${table} BEGIN
      UPDATE offer_version SET version = version + 1; END`,
    ),
  ),

  `CREATE TABLE payment_order (
    receipt TEXT NOT NULL PRIMARY KEY,
    appointment_id TEXT NOT NULL,
    order_id TEXT UNIQUE,
    amount_paise INTEGER NOT NULL CHECK (amount_paise > 0),
    currency TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('creating', 'open', 'paid', 'closed')),
    created_at INTEGER NOT NULL,
    next_check_at INTEGER,
    checks INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  ) STRICT`,
  `CREATE UNIQUE INDEX payment_order_one_open ON payment_order (appointment_id) WHERE state IN ('creating', 'open')`,
  `CREATE INDEX payment_order_by_appointment ON payment_order (appointment_id)`,
  `CREATE INDEX payment_order_due ON payment_order (next_check_at) WHERE next_check_at IS NOT NULL`,

  `CREATE TABLE payment (
    payment_id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT,
    appointment_id TEXT,
    amount_paise INTEGER NOT NULL,
    currency TEXT NOT NULL,
    provider_status TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('authorized', 'failed', 'applied', 'second', 'wrong_amount', 'late', 'unmatched', 'assigned', 'returned')),
    method TEXT,
    refunded_paise INTEGER NOT NULL DEFAULT 0,
    dispute_state TEXT,
    captured_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX payment_by_appointment ON payment (appointment_id)`,
  `CREATE UNIQUE INDEX payment_one_applied ON payment (appointment_id) WHERE outcome IN ('applied', 'assigned')`,
  `CREATE INDEX payment_unmatched ON payment (created_at) WHERE outcome = 'unmatched'`,

  `CREATE TABLE refund (
    id TEXT NOT NULL PRIMARY KEY,
    payment_id TEXT NOT NULL REFERENCES payment (payment_id),
    appointment_id TEXT,
    amount_paise INTEGER NOT NULL CHECK (amount_paise > 0),
    state TEXT NOT NULL CHECK (state IN ('wanted', 'sent', 'pending', 'processed', 'failed', 'needs_person')),
    origin TEXT NOT NULL CHECK (origin IN ('us', 'provider')),
    reason TEXT NOT NULL,
    provider_refund_id TEXT UNIQUE,
    key_generation INTEGER NOT NULL DEFAULT 1,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    lease_until INTEGER,
    last_error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE UNIQUE INDEX refund_one_of_ours ON refund (payment_id) WHERE origin = 'us'`,
  `CREATE INDEX refund_by_payment ON refund (payment_id)`,
  `CREATE INDEX refund_by_appointment ON refund (appointment_id)`,
  `CREATE INDEX refund_due ON refund (next_try_at) WHERE next_try_at IS NOT NULL`,
  `CREATE INDEX refund_needs_person ON refund (created_at) WHERE state IN ('failed', 'needs_person')`,

  `CREATE TABLE provider_event (
    event_id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('new', 'done', 'parked')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    last_error TEXT,
    received_at INTEGER NOT NULL,
    done_at INTEGER
  ) STRICT`,
  `CREATE INDEX provider_event_due ON provider_event (next_try_at) WHERE state = 'new'`,
  `CREATE INDEX provider_event_by_age ON provider_event (received_at)`,

  `CREATE TABLE document_series (
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    last_serial INTEGER NOT NULL,
    PRIMARY KEY (series, financial_year)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE document (
    number TEXT NOT NULL PRIMARY KEY CHECK (length(number) <= 16),
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial INTEGER NOT NULL,
    on_date TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    appointment_id TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    refund_id TEXT UNIQUE,
    invoice_number TEXT REFERENCES document (number),
    customer_name TEXT NOT NULL,
    state_code TEXT NOT NULL,
    description TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    sac TEXT NOT NULL,
    taxable_paise INTEGER NOT NULL,
    cgst_paise INTEGER NOT NULL,
    sgst_paise INTEGER NOT NULL,
    igst_paise INTEGER NOT NULL,
    total_paise INTEGER NOT NULL CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise),
    sample INTEGER NOT NULL CHECK (sample IN (0, 1)),
    supplier TEXT NOT NULL CHECK (json_valid(supplier)),
    UNIQUE (series, financial_year, serial),
    CHECK ((kind = 'credit_note') = (invoice_number IS NOT NULL)),
    CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL))
  ) STRICT`,
  `CREATE UNIQUE INDEX document_one_invoice ON document (payment_id) WHERE kind = 'invoice'`,
  `CREATE INDEX document_by_appointment ON document (appointment_id)`,
  `CREATE INDEX document_by_date ON document (on_date, number)`,
  `CREATE TRIGGER document_is_not_changed BEFORE UPDATE ON document BEGIN SELECT RAISE(ABORT, 'the ledger is not changed'); END`,
  `CREATE TRIGGER document_is_not_removed BEFORE DELETE ON document BEGIN SELECT RAISE(ABORT, 'the ledger is not changed'); END`,

  `CREATE TABLE message (
    id TEXT NOT NULL PRIMARY KEY,
    cause TEXT NOT NULL,
    kind TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'whatsapp')),
    audience TEXT NOT NULL CHECK (audience IN ('customer', 'counselor', 'admin')),
    recipient TEXT NOT NULL,
    appointment_id TEXT,
    data TEXT NOT NULL CHECK (json_valid(data)),
    state TEXT NOT NULL CHECK (state IN ('queued', 'retrying', 'sent', 'delivered', 'read', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    lease_until INTEGER,
    not_after INTEGER,
    last_error TEXT,
    transport_id TEXT,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    UNIQUE (cause, channel, audience)
  ) STRICT`,
  `CREATE INDEX message_due ON message (next_try_at) WHERE next_try_at IS NOT NULL`,
  `CREATE INDEX message_by_appointment ON message (appointment_id)`,
  `CREATE INDEX message_by_transport ON message (transport_id) WHERE transport_id IS NOT NULL`,
  `CREATE INDEX message_failed ON message (created_at) WHERE state = 'failed'`,
  `CREATE TABLE opt_out (phone TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,

  `CREATE TABLE idempotency (
    key TEXT NOT NULL PRIMARY KEY,
    body_hash TEXT NOT NULL,
    appointment_id TEXT NOT NULL,
    response TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,

  `CREATE TABLE admin (
    id TEXT NOT NULL PRIMARY KEY,
    username TEXT NOT NULL COLLATE NOCASE UNIQUE,
    email TEXT NOT NULL COLLATE NOCASE UNIQUE,
    password_hash TEXT NOT NULL,
    totp_secret TEXT,
    totp_confirmed_at INTEGER,
    totp_last_step INTEGER,
    recovery_codes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(recovery_codes)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE admin_session (
    token_hash TEXT NOT NULL PRIMARY KEY,
    admin_id TEXT NOT NULL REFERENCES admin (id) ON DELETE CASCADE,
    user_agent TEXT,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX admin_session_by_admin ON admin_session (admin_id)`,
  `CREATE TABLE one_time_code (
    admin_id TEXT NOT NULL PRIMARY KEY REFERENCES admin (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE activity (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    "before" TEXT,
    "after" TEXT
  ) STRICT`,
  `CREATE INDEX activity_by_target ON activity (target)`,
  `CREATE TABLE setting (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,

  `CREATE VIRTUAL TABLE appointment_search USING fts5(
    id, name, email, phone, content='appointment', content_rowid='seq', tokenize='trigram')`,
  `CREATE TRIGGER appointment_search_add AFTER INSERT ON appointment BEGIN
    INSERT INTO appointment_search (rowid, id, name, email, phone)
    VALUES (NEW.seq, NEW.id, NEW.name, NEW.email, NEW.phone); END`,
  `CREATE TRIGGER appointment_search_remove AFTER DELETE ON appointment BEGIN
    INSERT INTO appointment_search (appointment_search, rowid, id, name, email, phone)
    VALUES ('delete', OLD.seq, OLD.id, OLD.name, OLD.email, OLD.phone); END`,
  `CREATE TRIGGER appointment_search_change AFTER UPDATE OF name, email, phone ON appointment BEGIN
    INSERT INTO appointment_search (appointment_search, rowid, id, name, email, phone)
    VALUES ('delete', OLD.seq, OLD.id, OLD.name, OLD.email, OLD.phone);
    INSERT INTO appointment_search (rowid, id, name, email, phone)
    VALUES (NEW.seq, NEW.id, NEW.name, NEW.email, NEW.phone); END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
