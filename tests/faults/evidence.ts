/** Both books side by side, read once the dust has settled: the provider's and the app's. */
import type { Selectable } from "kysely";
import type { AppointmentStatus } from "#app/model/statuses.ts";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import type { DocumentTable } from "#db/ledger-document.ts";
import type { PaymentTable, RefundTable } from "#db/money-tables.ts";
import type { AppointmentTable, MessageTable } from "#db/tables.ts";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import type { Trail } from "./history.ts";

export type RefundEvidence = Selectable<RefundTable>;
export type MessageEvidence = Selectable<MessageTable>;
export type Evidence = ReturnType<typeof gatherEvidence>;

/** `kills` in the round: with none, nothing is ever sent twice. */
export function gatherEvidence(
  sandbox: Sandbox,
  db: OpenDb,
  trails: readonly Trail[] = [],
  kills = 0,
) {
  const appointments = db.allRaw<Selectable<AppointmentTable>>("SELECT * FROM appointment");
  const payments = db.allRaw<Selectable<PaymentTable>>("SELECT * FROM payment");
  const moments = db.allRaw<Moment>("SELECT * FROM journal_state ORDER BY seq");
  return {
    sandbox,
    db,
    trails,
    kills,
    appointments: new Map(appointments.map((row) => [row.id, row])),
    payments: new Map(payments.map((row) => [row.payment_id, row])),
    refunds: db.allRaw<RefundEvidence>("SELECT * FROM refund ORDER BY created_at"),
    documents: db.allRaw<DocumentTable>("SELECT * FROM document ORDER BY series, serial"),
    messages: db.allRaw<MessageEvidence>("SELECT * FROM message ORDER BY created_at"),
    /** Of every appointment, oldest first. */
    moments: Map.groupBy(moments, ({ id }) => id),
    queued: db.allRaw<QueuedMessage>("SELECT * FROM journal_message ORDER BY at"),
    stuckRefunds: db.allRaw<StuckRefund>("SELECT DISTINCT * FROM journal_stuck_refund"),
    newKeys: db.allRaw<NewKey>("SELECT * FROM journal_new_key"),
  };
}

/** Each says what breaks the rule of its name, by the ids that it is about. */
export type Rules = Record<string, (evidence: Evidence) => Iterable<string>>;

export interface Violation {
  rule: string;
  what: string;
}

export function violationsOf(rules: Rules, evidence: Evidence): Violation[] {
  return Object.entries(rules).flatMap(([rule, breaches]) =>
    Array.from(breaches(evidence), (what) => ({ rule, what })),
  );
}

export function isPaidStatus(status: string): boolean {
  return status === "confirmed" || status === "rescheduled";
}

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const STATE_COLUMNS = [
  "id",
  "status",
  "counselor_key",
  "starts_at",
  "ends_at",
  "hold_until",
  "calendar_sequence",
];

/**
 * A record that the database itself keeps, in the transaction of each change: what every appointment
 * was at which moment, and every message ever queued. It outlives deletions.
 */
const STATEMENTS = [
  `CREATE TABLE journal_state (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, ${STATE_COLUMNS.join(", ")})`,
  ...["INSERT", "UPDATE"].map(
    (change) => `CREATE TRIGGER journal_${change} AFTER ${change} ON appointment BEGIN
    INSERT INTO journal_state (at, ${STATE_COLUMNS.join(", ")})
    VALUES (${NOW}, ${STATE_COLUMNS.map((column) => `NEW.${column}`).join(", ")}); END`,
  ),
  `CREATE TRIGGER journal_DELETE AFTER DELETE ON appointment BEGIN
    INSERT INTO journal_state (at, id, status) VALUES (${NOW}, OLD.id, 'deleted'); END`,
  `CREATE TABLE journal_message (id TEXT PRIMARY KEY, at INTEGER, cause, kind, channel,
    appointment_id, data)`,
  `CREATE TRIGGER journal_message_queued AFTER INSERT ON message BEGIN
    INSERT INTO journal_message VALUES (NEW.id, ${NOW}, NEW.cause, NEW.kind, NEW.channel,
      NEW.appointment_id, NEW.data); END`,
  `CREATE TABLE journal_stuck_refund (id TEXT NOT NULL, generation INTEGER)`,
  // Money that came in outside waits for a person from the start.
  ...["INSERT", "UPDATE OF state"].map(
    (change, i) => `CREATE TRIGGER journal_refund_stuck_${i} AFTER ${change} ON refund
    WHEN NEW.state IN ('failed', 'needs_person') BEGIN
    INSERT INTO journal_stuck_refund VALUES (NEW.id, NEW.key_generation); END`,
  ),
  `CREATE TABLE journal_new_key (id TEXT NOT NULL, state TEXT, fault TEXT, corrected INTEGER)`,
  `CREATE TRIGGER journal_refund_key AFTER UPDATE OF key_generation ON refund
    WHEN NEW.key_generation <> OLD.key_generation BEGIN
    INSERT INTO journal_new_key VALUES
      (NEW.id, OLD.state, OLD.fault, NEW.amount_paise <> OLD.amount_paise); END`,
];

export interface Moment {
  at: number;
  id: string;
  status: AppointmentStatus | "deleted";
  counselor_key: string;
  starts_at: number;
  ends_at: number;
  hold_until: number | null;
  calendar_sequence: number;
}

export type QueuedMessage = Pick<
  MessageTable,
  "id" | "cause" | "kind" | "channel" | "appointment_id" | "data"
>;

/** A refund that failed or waited for a person under one key. */
export interface StuckRefund {
  id: string;
  generation: number;
}

/** A refund that got a new idempotency key. */
export interface NewKey {
  /** The refund, and what it was under its key of before. */
  id: string;
  state: string;
  fault: string | null;
  /** 1: its sum was corrected to what is left, so it is another request. */
  corrected: 0 | 1;
}

/** Right after the first start, before anything is booked. */
export function beginJournal(path: string): void {
  const db = openDb(path);
  for (const statement of STATEMENTS) db.driver.exec(statement);
  db.close();
}
