/** What is done once, however often it is asked for under one idempotency key. */
import { createHash } from "node:crypto";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findStoredAnswer, type Made, storeAnswer } from "#db/queries/stored-answers.server.ts";
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
 * Answers what `work` made the first time, as `made` tells of its value. A refusal is not kept, so
 * that a repeat tries again. Refusal beside those of `work`: `idempotency_conflict`.
 */
export function once<T>(
  { db, now }: Pick<Deps, "db" | "now">,
  { key, call, body }: Wish,
  work: () => Outcome<T>,
  made: (value: T) => Made,
): Outcome<Made> {
  const bodyHash = bodyHashOf({ ...body, call });
  return inTransaction(db, (tx: Db): Outcome<Made> => {
    const stored = key === null ? null : findStoredAnswer(tx, key);
    if (stored && stored.bodyHash !== bodyHash) return KEY_CONFLICT;
    if (stored) return success({ appointmentId: stored.appointmentId, refundId: stored.refundId });
    const done = work();
    if (!done.ok) return done;
    const value = { refundId: null, ...made(done.value) };
    if (key !== null) storeAnswer(tx, { key, bodyHash, ...value, at: now() });
    return success(value);
  });
}
