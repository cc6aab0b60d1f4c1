/**
 * Disputes stand in rows of their own, as far as they have come; a payment may be told of after its
 * dispute. What the bank took back of a payment is a sum over its lost ones, also while one of them
 * is open again in a later phase.
 */
import { type Kysely, sql } from "kysely";

const TAKEN_BACK = `taken_back_paise = (
  SELECT coalesce(sum(iif(d.status = 'lost' AND d.deducted_paise = 0, d.amount_paise, d.deducted_paise)), 0)
  FROM dispute d WHERE d.payment_id = payment.payment_id AND d.status <> 'won')`;

const afterwards = (event: string, name: string, row: "NEW" | "OLD" = "NEW") =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN
    UPDATE payment SET ${TAKEN_BACK} WHERE payment_id = ${row}.payment_id; END`;

/** What the newest event about a dispute of a payment says, as far as events are still there. */
const toldOf = (field: string) => `(SELECT json_extract(e.body, '$.payload.dispute.entity.${field}')
  FROM provider_event e WHERE e.payment_id = p.payment_id AND e.kind LIKE 'payment.dispute.%'
  ORDER BY e.received_at DESC LIMIT 1)`;

const statements = [
  `CREATE TABLE dispute (
    dispute_id TEXT NOT NULL PRIMARY KEY,
    payment_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    status TEXT NOT NULL,
    amount_paise INTEGER NOT NULL,
    deducted_paise INTEGER NOT NULL,
    respond_by INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX dispute_by_payment ON dispute (payment_id)",
  afterwards("INSERT ON dispute", "dispute_taken_add"),
  afterwards("UPDATE OF status, amount_paise, deducted_paise ON dispute", "dispute_taken_change"),
  afterwards("DELETE ON dispute", "dispute_taken_remove", "OLD"),
  afterwards("INSERT ON payment", "payment_taken_add"),
  // Kept until now: the last event's name at its payment, without a phase.
  `INSERT OR IGNORE INTO dispute (dispute_id, payment_id, phase, status, amount_paise, deducted_paise,
      created_at, updated_at)
    SELECT coalesce(${toldOf("id")}, 'unknown_' || p.payment_id), p.payment_id, '',
      iif(p.dispute_state IN ('created', 'action_required'), 'open', p.dispute_state),
      coalesce(CAST(${toldOf("amount")} AS INTEGER), p.amount_paise), 0, p.updated_at, p.updated_at
    FROM payment p WHERE p.dispute_state IS NOT NULL`,
  // Of a payment that is gone whole nothing more is sent; what had no answer is still asked for.
  `UPDATE refund SET state = 'superseded', next_try_at = NULL, lease_until = NULL
    WHERE way = 'provider' AND state IN ('wanted', 'failed', 'needs_person') AND payment_id IN
      (SELECT payment_id FROM payment WHERE taken_back_paise >= amount_paise)`,
  "ALTER TABLE payment DROP COLUMN dispute_state",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
