/** What the admin area reads fast: money kept by appointment, names, codes and events by their key. */
import { type Kysely, sql } from "kysely";

/**
 * Captured money of an appointment less what has gone or is to go back. The provider's own sum and
 * the refunds it has accepted tell of the same money; a wish it has not accepted yet comes on top. One
 * made in its dashboard that failed does not count.
 */
const KEPT = `(SELECT coalesce(sum(max(0, p.amount_paise
    - max(p.refunded_paise, (SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
        WHERE r.payment_id = p.payment_id AND r.provider_refund_id IS NOT NULL
          AND NOT (r.origin = 'provider' AND r.state = 'failed')))
    - (SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
        WHERE r.payment_id = p.payment_id AND r.provider_refund_id IS NULL))), 0)
  FROM payment p WHERE p.appointment_id = appointment.id AND p.captured_at IS NOT NULL)`;

const statements = [
  `ALTER TABLE appointment ADD COLUMN kept_paise INTEGER NOT NULL DEFAULT 0`,
  `UPDATE appointment SET kept_paise = ${KEPT}`,
  `CREATE TRIGGER payment_kept_add AFTER INSERT ON payment WHEN NEW.appointment_id IS NOT NULL BEGIN
    UPDATE appointment SET kept_paise = ${KEPT} WHERE id = NEW.appointment_id; END`,
  `CREATE TRIGGER payment_kept_change
    AFTER UPDATE OF amount_paise, refunded_paise, captured_at, appointment_id ON payment BEGIN
    UPDATE appointment SET kept_paise = ${KEPT} WHERE id IN (OLD.appointment_id, NEW.appointment_id); END`,
  ...["INSERT", "UPDATE OF amount_paise, state, provider_refund_id"].map(
    (event, i) => `CREATE TRIGGER refund_kept_${i} AFTER ${event} ON refund BEGIN
    UPDATE appointment SET kept_paise = ${KEPT}
    WHERE id = (SELECT appointment_id FROM payment WHERE payment_id = NEW.payment_id); END`,
  ),
  // All that the list filters, sorts and counts by: read from this index alone, never the table.
  `CREATE INDEX appointment_for_list ON appointment
    (on_date, time_slot, counselor_key, status, kept_paise, created_at, total_paise)`,
  // Searches of one or two letters look for the beginning of a name.
  `CREATE INDEX appointment_by_name ON appointment (lower(name))`,

  // A retried refund keeps its row under a new provider's id; late news of the old one is known as such.
  `ALTER TABLE refund ADD COLUMN replaced_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(replaced_ids))`,

  `CREATE INDEX idempotency_by_appointment ON idempotency (appointment_id)`,
  // Deleting an appointment finds the provider's events about it by these.
  `ALTER TABLE provider_event ADD COLUMN payment_id TEXT GENERATED ALWAYS AS (
    CASE WHEN json_valid(body) THEN coalesce(
      json_extract(body, '$.payload.payment.entity.id'),
      json_extract(body, '$.payload.refund.entity.payment_id'),
      json_extract(body, '$.payload.dispute.entity.payment_id')) END) VIRTUAL`,
  `ALTER TABLE provider_event ADD COLUMN order_id TEXT GENERATED ALWAYS AS (
    CASE WHEN json_valid(body) THEN coalesce(
      json_extract(body, '$.payload.payment.entity.order_id'),
      json_extract(body, '$.payload.order.entity.id')) END) VIRTUAL`,
  `CREATE INDEX provider_event_by_payment ON provider_event (payment_id) WHERE payment_id IS NOT NULL`,
  `CREATE INDEX provider_event_by_order ON provider_event (order_id) WHERE order_id IS NOT NULL`,

  // Counted by the address as submitted, known or not: so neither answer tells which it is.
  `DROP TABLE one_time_code`,
  `CREATE TABLE one_time_code (
    email_key TEXT NOT NULL PRIMARY KEY,
    admin_id TEXT REFERENCES admin (id) ON DELETE CASCADE,
    code_hash TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((admin_id IS NULL) = (code_hash IS NULL))
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX one_time_code_by_expiry ON one_time_code (expires_at)`,
  `CREATE INDEX admin_session_by_expiry ON admin_session (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
