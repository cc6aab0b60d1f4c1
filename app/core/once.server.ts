/** What is done once, however often it is asked for under one idempotency key. */
import { createHash } from "node:crypto";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findStoredAnswer, storeAnswer } from "#db/queries/stored-answers.server.ts";
import type { Deps } from "./deps.server.ts";

export const KEY_CONFLICT = failure(
  "idempotency_conflict",
  "This key was used for another request. Please send a new key.",
);

/** Of what was sent, in any order of its fields. */
export function bodyHashOf(fields: Record<string, unknown>): string {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

interface Wish {
  /** Null: no repeat is known as one. */
  key: string | null;
  /** What is asked for, and of what: the same key for another thing is a conflict. */
  call: string;
  body: Record<string, unknown>;
}

/**
 * Answers as `work` did the first time: `answer` tells of its value what is stored, with the id of
 * the appointment that it goes with. A refusal is not kept, so that a repeat tries again. Refusal
 * beside those of `work`: `idempotency_conflict`.
 */
export function once<T, Data>(
  { db, now }: Pick<Deps, "db" | "now">,
  { key, call, body }: Wish,
  work: () => Outcome<T>,
  answer: (value: T) => { appointmentId: string; data: Data },
): Outcome<Data> {
  const bodyHash = bodyHashOf({ ...body, call });
  return inTransaction(db, (tx: Db): Outcome<Data> => {
    const stored = key === null ? null : findStoredAnswer(tx, key);
    if (stored) {
      return stored.bodyHash === bodyHash ? success(JSON.parse(stored.response)) : KEY_CONFLICT;
    }
    const done = work();
    if (!done.ok) return done;
    const { appointmentId, data } = answer(done.value);
    if (key !== null) {
      storeAnswer(tx, { key, bodyHash, appointmentId, response: JSON.stringify(data), at: now() });
    }
    return success(data);
  });
}
