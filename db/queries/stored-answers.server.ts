/** What a booking call was answered, for a repeat under the same idempotency key. */
import { type Db, sqlite } from "#db/connection.server.ts";

export interface StoredAnswer {
  bodyHash: string;
  response: string;
}

export function findStoredAnswer(db: Db, key: string): StoredAnswer | null {
  const answers = sqlite.selectFrom("idempotency").select(["body_hash as bodyHash", "response"]);
  return db.first(answers.where("key", "=", key));
}

export function storeAnswer(
  tx: Db,
  answer: StoredAnswer & { key: string; appointmentId: string; at: number },
): void {
  const { key, bodyHash, appointmentId, response, at } = answer;
  const row = { key, body_hash: bodyHash, appointment_id: appointmentId, response, created_at: at };
  tx.run(sqlite.insertInto("idempotency").values(row));
}
