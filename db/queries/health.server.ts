/**
 * The state of the service: lengths and ages of queues, what waits for a person, unexpected errors,
 * and what the doctor reads.
 */
import { sql } from "kysely";
import { PAID } from "#app/model/statuses.ts";
import { COUNT, type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import { type FieldsOf, rowOf } from "#db/row-fields.ts";
import type { FailureTable } from "#db/tables.ts";
import { failedMessages } from "./messages.server.ts";
import { waitsForPerson } from "./payments.server.ts";
import { readSetting } from "./settings.server.ts";

const events = sqlite.selectFrom("provider_event");

// By hand: a union.
const QUEUES = `SELECT 'outbox' AS queue, count(*) AS length, min(created_at) AS oldest
    FROM message WHERE next_try_at IS NOT NULL
  UNION ALL SELECT 'refunds', count(*), min(created_at) FROM refund WHERE next_try_at IS NOT NULL
  UNION ALL SELECT 'provider_events', count(*), min(received_at) FROM provider_event
    WHERE state = 'new'
  -- The age counts rooms without a link; a room that is only to be moved has one.
  UNION ALL SELECT 'session_rooms', count(*), min(iif(meeting_id IS NULL, created_at, NULL))
    FROM session_room WHERE next_try_at IS NOT NULL AND appointment_id IS NOT NULL`;

const payments = sqlite.selectFrom("payment");
const WAITING = {
  message: failedMessages.clearSelect().select(COUNT),
  refund: sqlite.selectFrom("refund").select(COUNT).where(waitsForPerson),
  unmatched_payment: payments.select(COUNT).where("outcome", "=", literal("unmatched")),
  provider_event: events.select(COUNT).where("state", "=", literal("parked")),
};

// By hand: the builder does not know SQLite's row number.
const MONEY_MARK = `SELECT (SELECT max(rowid) FROM payment) AS payment,
  (SELECT max(rowid) FROM refund) AS refund, (SELECT max(rowid) FROM document) AS document,
  (SELECT max(rowid) FROM dispute) AS dispute, (SELECT max(settled_at) FROM refund) AS paidBack`;

/** Changes whenever a payment, refund, dispute or document is recorded, or a refund paid by hand. */
export function readMoneyMark(db: Db): string {
  return JSON.stringify(db.firstRaw(MONEY_MARK));
}

/** `oldest` is the creation of the oldest row. */
export function readQueues(db: Db) {
  return {
    queues: db.allRaw<{ queue: string; length: number; oldest: number | null }>(QUEUES),
    waiting: Object.entries(WAITING).map(([kind, rows]) => ({ kind, ...db.first(rows)! })),
    backup: lastCopy(db, "last_backup"),
    offSite: lastCopy(db, "last_off_site"),
  };
}

function lastCopy(db: Db, name: string) {
  const text = readSetting(db, name);
  return text ? (JSON.parse(text) as { at: number; bytes: number }) : null;
}

/** Unpaid holds that run at `now`, and paid sessions still to begin. */
export function countTimesTaken(db: Db, now: number): { kind: string; count: number }[] {
  const held = sqlite.selectFrom("session_time").select(COUNT).where("held_until", ">", now);
  const toCome = sqlite.selectFrom("appointment").select(COUNT).where("starts_at", ">", now);
  const paid = toCome.where("status", "in", literals(PAID));
  return [
    { kind: "unpaid_hold", count: db.first(held)!.count },
    { kind: "paid", count: db.first(paid)!.count },
  ];
}

export type Failure = FieldsOf<FailureTable>;

const MOST_ROWS = 100;

/** Adds to the count of known failures at the same place. */
export function saveFailures(tx: Db, failures: readonly Failure[]): void {
  for (const failure of failures) {
    const insert = sqlite.insertInto("failure").values(rowOf(failure));
    tx.run(
      insert.onConflict((conflict) =>
        conflict.columns(["area", "kind", "place"]).doUpdateSet({
          count: sql`count + excluded.count`,
          last_at: sql`excluded.last_at`,
          request_id: sql`coalesce(excluded.request_id, request_id)`,
        }),
      ),
    );
  }
  tx.runRaw(
    `DELETE FROM failure WHERE (area, kind, place) IN
     (SELECT area, kind, place FROM failure ORDER BY last_at DESC LIMIT -1 OFFSET ?)`,
    [MOST_ROWS],
  );
}

/** Those that happened since, the newest first. */
export function listFailures(db: Db, since: number): Failure[] {
  const failures = sqlite.selectFrom("failure").selectAll().where("last_at", ">=", since);
  return db.objects(failures.orderBy("last_at", "desc"));
}

/** Those that have not happened again since. */
export function deleteFailures(tx: Db, until: number): number {
  return tx.run(sqlite.deleteFrom("failure").where("last_at", "<=", until));
}

/** Events of our own, stored like the provider's: the doctor's, and what its lists named. */
export const OWN_EVENTS = {
  doctor: "doctor.check",
  payment: "payment.listed",
  dispute: "payment.dispute.listed",
} as const;

/** When the database got its first schema; a restored file keeps it. */
export function findFirstUseAt(db: Db): number {
  // By hand: the builder does not know the migrator's own table.
  const first = "SELECT min(timestamp) AS at FROM kysely_migration";
  return Date.parse(db.firstRaw<{ at: string }>(first)!.at);
}

export function findLastEventAt(db: Db): number | null {
  const theirs = events
    .select("received_at as at")
    .where("kind", "not in", Object.values(OWN_EVENTS));
  return db.first(theirs.orderBy("received_at", "desc").limit(1))?.at ?? null;
}

/** Which of a new owner's first steps are done. */
export function readSetUp(db: Db) {
  const has = (rows: string) =>
    db.firstRaw<{ is: number }>(`SELECT EXISTS (${rows}) AS "is"`)!.is === 1;
  return {
    hasHours: has("SELECT 1 FROM weekly_hours"),
    // Through the provider only.
    hasPayment: has(
      "SELECT 1 FROM payment WHERE captured_at > 0 AND order_id IS NOT NULL AND outcome = 'applied'",
    ),
    hasTestMail: has(
      "SELECT 1 FROM message WHERE kind = 'test_mail' AND state IN ('sent', 'delivered', 'read')",
    ),
  };
}

/** True if the provider took money between the two. */
export function hasPaymentSince(db: Db, { after, before }: { after: number; before: number }) {
  return db.has(
    sqlite
      .selectFrom("payment")
      .select("payment_id")
      .where("captured_at", ">", after)
      .where("captured_at", "<=", before)
      // Money received outside has the date on which it came in.
      .where("received_on", "is", null)
      .limit(1),
  );
}

/**
 * The financial year (`26-27`) with the largest taxable value less credit notes, in paise; null
 * without documents.
 */
export function findLargestYear(db: Db): { year: string; taxablePaise: number } | null {
  const paise = sql<number>`sum(iif(kind = 'credit_note', -taxable_paise, taxable_paise))`;
  const years = sqlite
    .selectFrom("document")
    .where("sample", "=", 0)
    .groupBy("financial_year")
    .select(["financial_year as year", paise.as("taxablePaise")]);
  return db.first(years.orderBy("taxablePaise", "desc").limit(1));
}

/** Kinds whose last message failed because Meta has paused or disabled their template. */
export function listPausedTemplates(db: Db, since: number): string[] {
  const failed = db.allRaw<{ kind: string }>(
    `SELECT DISTINCT kind FROM message WHERE state = 'failed' AND created_at > ?
       AND channel = 'whatsapp' AND last_error GLOB '*WhatsApp 13201[56]*'
       AND NOT EXISTS (SELECT 1 FROM message later WHERE later.channel = 'whatsapp'
         AND later.state IN ('sent', 'delivered', 'read')
         AND later.kind = message.kind AND later.sent_at > message.created_at)
     ORDER BY kind`,
    [since],
  );
  return failed.map(({ kind }) => kind);
}
