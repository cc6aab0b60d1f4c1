/** What was done under an idempotency key, for a repeat: its answer is made anew of what that is now. */
import { type Db, sqlite } from "#db/connection.server.ts";

/** What a call made or changed. */
export interface Made {
  appointmentId: string;
  refundId?: string | null;
}

export interface StoredAnswer extends Made {
  bodyHash: string;
}

export function findStoredAnswer(db: Db, key: string): StoredAnswer | null {
  const answers = sqlite
    .selectFrom("idempotency")
    .select(["body_hash as bodyHash", "appointment_id as appointmentId", "refund_id as refundId"]);
  return db.first(answers.where("key", "=", key));
}

export function storeAnswer(tx: Db, answer: StoredAnswer & { key: string; at: number }): void {
  const { key, bodyHash, appointmentId, refundId = null, at } = answer;
  const made = { appointment_id: appointmentId, refund_id: refundId };
  const row = { key, body_hash: bodyHash, ...made, created_at: at };
  tx.run(sqlite.insertInto("idempotency").values(row));
}
