/**
 * A record that the database itself keeps, in the transaction of each change: what every
 * appointment was at which moment, and every message ever queued. It outlives deletions.
 */
import type { AppointmentStatus } from "#app/model/statuses.ts";
import { openDb } from "#db/connection.server.ts";
import type { MessageTable } from "#db/tables.ts";

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
