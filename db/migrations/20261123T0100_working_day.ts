/**
 * Staff's day: bookings made by staff, money received outside the provider, refunds by a person,
 * attendance, staff notes. A payment may have several refunds of ours now: one for each reason that
 * the program has, any number by staff, together never more than is left of the payment.
 */
import { type Kysely, sql } from "kysely";

/** As `leftOf` counts it, before the new row. */
const LEFT = `(SELECT p.amount_paise
    - max(p.refunded_paise, (SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
        WHERE r.payment_id = p.payment_id AND r.provider_refund_id IS NOT NULL
          AND NOT (r.origin = 'provider' AND r.state = 'failed')))
    - (SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
        WHERE r.payment_id = p.payment_id AND r.provider_refund_id IS NULL)
  FROM payment p WHERE p.payment_id = NEW.payment_id)`;

const statements = [
  `ALTER TABLE appointment ADD COLUMN source TEXT NOT NULL DEFAULT 'visitor'
    CHECK (source IN ('visitor', 'staff'))`,
  `ALTER TABLE appointment ADD COLUMN attendance TEXT CHECK (attendance IN ('completed', 'no_show'))`,
  "ALTER TABLE appointment ADD COLUMN staff_note TEXT",
  "ALTER TABLE appointment ADD COLUMN cancel_note TEXT",
  "DROP INDEX appointment_for_list",
  `CREATE INDEX appointment_for_list ON appointment
    (on_date, time_slot, counselor_key, status, kept_paise, created_at, total_paise, minutes, attendance)`,
  `CREATE INDEX appointment_without_attendance ON appointment (ends_at)
    WHERE status IN ('confirmed', 'rescheduled') AND attendance IS NULL`,
  // Whether those of before took place is not known, and nobody is asked.
  `INSERT INTO setting (key, value)
    SELECT 'attendance_since', iif(EXISTS (SELECT 1 FROM appointment), unixepoch() * 1000, 0)`,

  "ALTER TABLE payment ADD COLUMN reference TEXT",
  "ALTER TABLE payment ADD COLUMN received_on TEXT",

  "ALTER TABLE refund ADD COLUMN receipt TEXT",
  "ALTER TABLE refund ADD COLUMN note TEXT",
  "ALTER TABLE refund ADD COLUMN reference TEXT",
  "ALTER TABLE refund ADD COLUMN settled_at INTEGER",
  "DROP INDEX refund_one_of_ours",
  `CREATE UNIQUE INDEX refund_once_for_a_reason ON refund (payment_id, reason)
    WHERE origin = 'us' AND reason <> 'by_staff'`,
  `CREATE TRIGGER refund_within_payment BEFORE INSERT ON refund
    WHEN NEW.origin = 'us' AND NEW.amount_paise > ${LEFT}
    BEGIN SELECT RAISE(ABORT, 'refund_over_payment'); END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
