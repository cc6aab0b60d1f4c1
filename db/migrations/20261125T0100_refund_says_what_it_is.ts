/**
 * A refund says what it is: how the money goes back (`way`), why the last try failed (`fault`), and
 * whether it counts. What is kept, refunded and taken back by a bank are sums over that. A payment
 * that came too late says which of three things that means. An order knows until when it is watched.
 *
 * SQLite cannot change a CHECK, so `payment` and `refund` are made anew, row by row.
 */
import { type Kysely, sql } from "kysely";

const PAYMENT = `payment_id, order_id, appointment_id, amount_paise, currency, provider_status, method,
  refunded_paise, dispute_state, captured_at, created_at, updated_at, fee_paise, fee_tax_paise,
  reference, received_on, payer_email, payer_phone, paid_at`;

const REFUND = `id, payment_id, appointment_id, amount_paise, provider_refund_id, replaced_ids,
  key_generation, attempts, next_try_at, lease_until, last_error, receipt, note, reference, settled_at,
  created_at, updated_at`;

/** Of a booking that somebody cancelled; of one whose session had begun; else its time was gone. */
const CAUSE_OF_LATE = `coalesce((SELECT CASE
    WHEN a.cancel_reason IN ('by_admin', 'by_customer') THEN 'booking_cancelled'
    WHEN p.created_at >= a.starts_at THEN 'session_begun' END
  FROM appointment a WHERE a.id = p.appointment_id), 'time_gone')`;

/** Paise that the provider told singly as gone back, or failed: its sum may hold what failed. */
const LISTED = `(SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
  WHERE r.payment_id = p.payment_id AND r.counts AND r.provider_refund_id IS NOT NULL)`;

/** Paise of a payment that are back, or are to go back, by refunds that count. */
const BACK = `(SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
  WHERE r.payment_id = p.payment_id AND r.counts)`;

/** Refunded, taken back and kept of the money captured for an appointment. */
const MONEY = `(refunded_paise, taken_back_paise, kept_paise) = (
  SELECT coalesce(sum(back), 0), coalesce(sum(taken), 0), coalesce(sum(amount - back - taken), 0)
  FROM (SELECT p.amount_paise AS amount, p.taken_back_paise AS taken, ${BACK} AS back
    FROM payment p WHERE p.appointment_id = appointment.id AND p.captured_at IS NOT NULL))`;

const ofPayment = (row: "NEW" | "OLD") =>
  `UPDATE appointment SET ${MONEY}
    WHERE id = (SELECT appointment_id FROM payment WHERE payment_id = ${row}.payment_id)`;

/** A refund that this program makes is never of more than is left; one that was made is a fact. */
const withinPayment = `SELECT RAISE(ABORT, 'refund_over_payment')
  FROM payment p WHERE p.payment_id = NEW.payment_id
    AND p.amount_paise - p.taken_back_paise < ${BACK}`;

const anew = [
  "DROP TRIGGER appointment_refunded_change",
  `CREATE TABLE payment_anew (
    payment_id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT,
    appointment_id TEXT,
    amount_paise INTEGER NOT NULL,
    currency TEXT NOT NULL,
    provider_status TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('authorized', 'failed', 'applied', 'second',
      'wrong_amount', 'time_gone', 'booking_cancelled', 'session_begun', 'unmatched', 'assigned',
      'returned')),
    method TEXT,
    refunded_paise INTEGER NOT NULL DEFAULT 0,
    taken_back_paise INTEGER NOT NULL DEFAULT 0,
    dispute_state TEXT,
    captured_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    fee_paise INTEGER,
    fee_tax_paise INTEGER,
    reference TEXT,
    received_on TEXT,
    payer_email TEXT,
    payer_phone TEXT,
    paid_at INTEGER
  ) STRICT`,
  `INSERT INTO payment_anew (${PAYMENT}, outcome)
    SELECT ${PAYMENT}, iif(outcome = 'late', ${CAUSE_OF_LATE}, outcome) FROM payment p ORDER BY rowid`,
  `CREATE TABLE refund_anew (
    id TEXT NOT NULL PRIMARY KEY,
    payment_id TEXT NOT NULL REFERENCES payment_anew (payment_id),
    appointment_id TEXT,
    amount_paise INTEGER NOT NULL CHECK (amount_paise > 0),
    state TEXT NOT NULL CHECK (state IN ('wanted', 'sent', 'pending', 'processed', 'failed',
      'needs_person', 'superseded')),
    way TEXT NOT NULL CHECK (way IN ('provider', 'by_hand', 'dashboard')),
    counts INTEGER NOT NULL GENERATED ALWAYS AS
      (state <> 'superseded' AND NOT (way = 'dashboard' AND state = 'failed')) VIRTUAL,
    reason TEXT NOT NULL,
    provider_refund_id TEXT UNIQUE,
    replaced_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(replaced_ids)),
    key_generation INTEGER NOT NULL DEFAULT 1,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    lease_until INTEGER,
    fault TEXT,
    last_error TEXT,
    receipt TEXT,
    note TEXT,
    reference TEXT,
    settled_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  // The last error began with its fault; closed without an answer of the provider is superseded.
  `INSERT INTO refund_anew (${REFUND}, state, way, reason, fault)
    SELECT ${REFUND.replace(/\b(id|payment_id|appointment_id|amount_paise|created_at|updated_at|reference)\b/g, "r.$1")},
      iif(r.origin = 'us' AND r.state = 'processed' AND r.provider_refund_id IS NULL
        AND r.settled_at IS NULL, 'superseded', r.state),
      CASE WHEN r.settled_at IS NOT NULL OR r.payment_id LIKE 'offline\\_%' ESCAPE '\\' THEN 'by_hand'
        WHEN r.origin = 'us' THEN 'provider' ELSE 'dashboard' END,
      CASE WHEN r.origin = 'provider' THEN 'dashboard' WHEN r.reason = 'late' THEN p.outcome
        ELSE r.reason END,
      (SELECT value FROM json_each('["config","rejected","busy","balance","rate","down","unknown"]')
        WHERE r.last_error LIKE value || ': %')
    FROM refund r JOIN payment_anew p ON p.payment_id = r.payment_id ORDER BY r.rowid`,
  "DROP TABLE refund",
  "DROP TABLE payment",
  "ALTER TABLE payment_anew RENAME TO payment",
  "ALTER TABLE refund_anew RENAME TO refund",
  "CREATE INDEX payment_by_appointment ON payment (appointment_id)",
  `CREATE UNIQUE INDEX payment_one_applied ON payment (appointment_id)
    WHERE outcome IN ('applied', 'assigned')`,
  "CREATE INDEX payment_unmatched ON payment (created_at) WHERE outcome = 'unmatched'",
  "CREATE INDEX refund_by_payment ON refund (payment_id)",
  "CREATE INDEX refund_by_appointment ON refund (appointment_id)",
  "CREATE INDEX refund_due ON refund (next_try_at) WHERE next_try_at IS NOT NULL",
  `CREATE INDEX refund_needs_person ON refund (created_at) WHERE state IN ('failed', 'needs_person')`,
];

/** What the provider counts as gone back beyond the refunds that it told singly. */
const unlisted = `INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, way, reason,
    created_at, updated_at)
  SELECT lower(hex(randomblob(13))), p.payment_id, p.appointment_id, p.refunded_paise - ${LISTED},
    'pending', 'dashboard', 'dashboard', p.updated_at, p.updated_at
  FROM payment p WHERE p.captured_at IS NOT NULL AND p.refunded_paise > ${LISTED}`;

interface Unpaid {
  id: string;
  amount_paise: number;
  over: number;
}

/** Newest first: not accepted, or failed, and of a payment of which more counts than there was. */
const unpaidOver = sql<Unpaid>`SELECT r.id, r.amount_paise,
    ${sql.raw(BACK)} - p.amount_paise AS over
  FROM payment p JOIN refund r ON r.payment_id = p.payment_id
  WHERE r.way = 'provider' AND r.state IN ('wanted', 'sent', 'failed', 'needs_person') AND over > 0
  ORDER BY r.created_at DESC, r.id DESC LIMIT 1`;

/** What went back another way is no longer owed by the refund that it stood in for. */
async function supersede(db: Kysely<unknown>): Promise<void> {
  for (;;) {
    const [row] = (await unpaidOver.execute(db)).rows;
    if (!row) return;
    const { id, amount_paise: amount, over } = row;
    if (over >= amount) {
      await sql`UPDATE refund SET state = 'superseded', next_try_at = NULL WHERE id = ${id}`.execute(
        db,
      );
      continue;
    }
    await sql`INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, way, reason,
        note, created_at, updated_at)
      SELECT lower(hex(randomblob(13))), payment_id, appointment_id, ${over}, 'superseded', way, reason,
        note, created_at, updated_at FROM refund WHERE id = ${id}`.execute(db);
    await sql`UPDATE refund SET amount_paise = amount_paise - ${over},
      key_generation = key_generation + 1 WHERE id = ${id}`.execute(db);
  }
}

const sums = [
  "ALTER TABLE appointment ADD COLUMN taken_back_paise INTEGER NOT NULL DEFAULT 0",
  `UPDATE appointment SET ${MONEY} WHERE id IN (SELECT appointment_id FROM payment)`,
  `CREATE TRIGGER payment_money_add AFTER INSERT ON payment WHEN NEW.appointment_id IS NOT NULL BEGIN
    UPDATE appointment SET ${MONEY} WHERE id = NEW.appointment_id; END`,
  `CREATE TRIGGER payment_money_change
    AFTER UPDATE OF amount_paise, taken_back_paise, captured_at, appointment_id ON payment BEGIN
    UPDATE appointment SET ${MONEY} WHERE id IN (OLD.appointment_id, NEW.appointment_id); END`,
  `CREATE TRIGGER refund_money_add AFTER INSERT ON refund BEGIN ${ofPayment("NEW")}; END`,
  `CREATE TRIGGER refund_money_change AFTER UPDATE OF amount_paise, state, way ON refund BEGIN
    ${ofPayment("NEW")}; END`,
  `CREATE TRIGGER refund_money_remove AFTER DELETE ON refund BEGIN ${ofPayment("OLD")}; END`,
  `CREATE TRIGGER refund_within_payment_add AFTER INSERT ON refund
    WHEN NEW.way <> 'dashboard' AND NEW.counts BEGIN ${withinPayment}; END`,
  `CREATE TRIGGER refund_within_payment_change AFTER UPDATE OF amount_paise, state, way ON refund
    WHEN NEW.way <> 'dashboard' AND NEW.counts AND NEW.provider_refund_id IS NULL
      AND (NOT OLD.counts OR NEW.amount_paise > OLD.amount_paise) BEGIN ${withinPayment}; END`,
  "DROP INDEX appointment_for_list",
  `CREATE INDEX appointment_for_list ON appointment
    (on_date, time_slot, counselor_key, status, kept_paise, created_at, total_paise, minutes, attendance,
      refunded_paise, taken_back_paise)`,
];

/** The bank's late yes comes within 3 days of the last moment to pay, the provider's retries within 5. */
const WATCH = 5 * 86_400_000;

const watched = [
  "ALTER TABLE payment_order ADD COLUMN watch_until INTEGER NOT NULL DEFAULT 0",
  `UPDATE payment_order SET watch_until = ${WATCH} + max(created_at, coalesce(
    (SELECT a.pay_before FROM appointment a WHERE a.id = payment_order.appointment_id), 0))`,
  // One whose link was paid long after it, and each that tells whether what is superseded stays so.
  `UPDATE payment_order SET next_check_at = created_at, watch_until = unixepoch() * 1000 + ${WATCH}
    WHERE next_check_at IS NULL
    AND (watch_until > ${WATCH} + 86400000 + created_at
      OR order_id IN (SELECT p.order_id FROM payment p JOIN refund r ON r.payment_id = p.payment_id
        WHERE r.state = 'superseded' OR (r.way = 'dashboard' AND r.provider_refund_id IS NULL)))`,
  `CREATE TRIGGER payment_order_watch AFTER UPDATE OF pay_before ON appointment
    WHEN NEW.pay_before IS NOT NULL BEGIN
    UPDATE payment_order SET watch_until = max(watch_until, NEW.pay_before + ${WATCH}),
      next_check_at = coalesce(next_check_at, NEW.pay_before)
    WHERE appointment_id = NEW.id; END`,
];

/** Messages about money name their refund and its cause. */
const named = `UPDATE message SET data = (
    SELECT json_set(message.data, '$.refundId', r.id, '$.reason', r.reason) FROM refund r
    WHERE r.payment_id = message.data ->> 'paymentId' AND r.reason IN
      ('time_gone', 'booking_cancelled', 'session_begun', 'second', 'wrong_amount')
    ORDER BY r.created_at LIMIT 1)
  WHERE data ->> 'refundId' IS NULL AND kind IN ('late_payment_refunded', 'payment_refunded',
      'admin_late_refund', 'admin_wrong_amount')
    AND EXISTS (SELECT 1 FROM refund r WHERE r.payment_id = message.data ->> 'paymentId' AND r.reason IN
      ('time_gone', 'booking_cancelled', 'session_begun', 'second', 'wrong_amount'))`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...anew, named, unlisted]) await sql.raw(statement).execute(db);
  await supersede(db);
  // Owed again, it is sent with a reference.
  await sql`UPDATE refund SET receipt = id WHERE state = 'superseded' AND way = 'provider'`.execute(
    db,
  );
  for (const statement of [...sums, ...watched]) await sql.raw(statement).execute(db);
}
