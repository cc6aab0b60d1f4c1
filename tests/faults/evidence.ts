/** Both books side by side, read once the dust has settled: the provider's and the app's. */

import type { Selectable } from "kysely";
import type { OpenDb } from "#db/connection.server.ts";
import type { DocumentTable } from "#db/ledger-document.ts";
import type { PaymentTable, RefundTable } from "#db/money-tables.ts";
import type { AppointmentTable, MessageTable } from "#db/tables.ts";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import {
  type Moment,
  type NewKey,
  type QueuedMessage,
  readMoments,
  readNewKeys,
  readQueuedMessages,
  readStuckRefunds,
  type StuckRefund,
} from "./journal.ts";
import type { Trail } from "./stage.ts";

export type AppointmentEvidence = Selectable<AppointmentTable>;
export type PaymentEvidence = Selectable<PaymentTable>;
export type RefundEvidence = Selectable<RefundTable>;
export type MessageEvidence = Selectable<MessageTable>;

export interface Evidence {
  sandbox: Sandbox;
  db: OpenDb;
  trails: readonly Trail[];
  /** Kills in the round: with none, nothing is ever sent twice. */
  kills: number;
  appointments: Map<string, AppointmentEvidence>;
  payments: Map<string, PaymentEvidence>;
  refunds: RefundEvidence[];
  documents: DocumentTable[];
  messages: MessageEvidence[];
  moments: Map<string, Moment[]>;
  queued: QueuedMessage[];
  stuckRefunds: StuckRefund[];
  newKeys: NewKey[];
}

export interface Violation {
  rule: string;
  what: string;
  /** Ids of an appointment, an order or a payment that it is about. */
  about: string[];
}

export function gatherEvidence(
  sandbox: Sandbox,
  db: OpenDb,
  trails: readonly Trail[],
  kills: number,
): Evidence {
  const appointments = db.allRaw<AppointmentEvidence>("SELECT * FROM appointment");
  const payments = db.allRaw<PaymentEvidence>("SELECT * FROM payment");
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
    moments: readMoments(db),
    queued: readQueuedMessages(db),
    stuckRefunds: readStuckRefunds(db),
    newKeys: readNewKeys(db),
  };
}

export function isPaidStatus(status: string): boolean {
  return status === "confirmed" || status === "rescheduled";
}
