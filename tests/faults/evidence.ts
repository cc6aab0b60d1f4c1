/** Both books side by side, read once the dust has settled: the provider's and the app's. */
import type { Selectable } from "kysely";
import type { OpenDb } from "#db/connection.server.ts";
import type { DocumentTable } from "#db/ledger-document.ts";
import type { PaymentTable, RefundTable } from "#db/money-tables.ts";
import type { AppointmentTable, MessageTable } from "#db/tables.ts";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import type { Trail } from "./history.ts";
import type { Moment, NewKey, QueuedMessage, StuckRefund } from "./journal.ts";

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
