/** A change: who makes it, whether their role may, and that a key makes it only once. */
import { createHash } from "node:crypto";
import type { ActivityAction, ActivityData } from "#app/model/activity.ts";
import { type Actor, accountNamed, actorNamed } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { DAY } from "#app/model/dates.ts";
import {
  type Failure,
  FORBIDDEN,
  failure,
  NO_APPOINTMENT,
  type Outcome,
  SIGN_IN_AGAIN,
  success,
} from "#app/model/outcome.ts";
import { mayDo, type Subject } from "#app/model/roles.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { findStoredSession } from "#db/queries/admins.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findStoredAnswer, type Made, storeAnswer } from "#db/queries/holds.server.ts";
import { countersByEnv } from "./counters.server.ts";
import type { Deps, ReadDeps } from "./deps.server.ts";

export interface Change {
  tx: Db;
  now: number;
  log(
    action: ActivityAction,
    target: string | null,
    what?: { before?: ActivityData; after?: ActivityData },
  ): void;
}

/**
 * Runs `work` in one transaction, that of the caller where there is one. After a success the worker
 * takes up what was queued. Refusal beside those of `work`: `unauthenticated` where the actor's
 * session, role or access ended since the request was admitted.
 */
export function change<T>(
  deps: Pick<Deps, "now" | "wake"> & { db: Db },
  actor: Actor,
  work: (change: Change) => Outcome<T>,
): Outcome<T> {
  const outcome = inTransaction(deps.db, (tx): Outcome<T> => {
    if (!isStillAdmitted(tx, actor)) return SIGN_IN_AGAIN;
    const now = deps.now();
    const log: Change["log"] = (action, target, what) =>
      logActivity(tx, { at: now, ...actorNamed(actor), action, target, ...what });
    return work({ tx, now, log });
  });
  if (outcome.ok) deps.wake();
  return outcome;
}

/** A change of one appointment, as it is now. Refusal besides: `not_found`. */
export function changeAppointment<T>(
  deps: Parameters<typeof change>[0],
  actor: Actor,
  id: string,
  work: (appointment: Appointment, doing: Change) => Outcome<T>,
): Outcome<T> {
  return change(deps, actor, (doing) => {
    const appointment = findAppointment(doing.tx, id);
    return appointment ? work(appointment, doing) : NO_APPOINTMENT;
  });
}

function isStillAdmitted(tx: Db, actor: Actor): boolean {
  if (actor.kind !== "admin" || !actor.session) return true;
  const stored = findStoredSession(tx, actor.session.tokenHash);
  if (!stored || stored.inactiveSince !== null || stored.role !== actor.role) return false;
  return stored.counselorKey === actor.session.counselorKey;
}

export const KEY_CONFLICT = failure(
  "idempotency_conflict",
  "This key was used for another request. Please send a new key.",
);

/** The same for the same fields in any order. */
export function bodyHashOf(fields: Record<string, unknown>): string {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

interface OnceRequest {
  /** Null: repeats are not recognised. */
  key: string | null;
  /** The action and what it acts on: the same key for another one is a conflict. */
  call: string;
  body: Record<string, unknown>;
}

/**
 * Runs `work` once per key; a repeat is answered with what `made` named of the first result. A
 * refusal is not stored, so a repeat tries again. Refusal beside those of `work`:
 * `idempotency_conflict`.
 */
export function runOnce<T>(
  { db, now }: Pick<Deps, "db" | "now">,
  { key, call, body }: OnceRequest,
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

/** Keeps repeated tries of one person from filling the log. */
const counters = countersByEnv({ forbidden: { points: 30, windowMs: DAY } });

type Account = Parameters<typeof accountNamed>[0];

/** `asked` says what was tried, without naming anybody. */
export function forbid(deps: ReadDeps, account: Account, asked: string): Failure {
  const at = deps.now();
  const { forbidden } = counters(deps.env);
  if ("count" in forbidden.take({ about: account.username }, at)) {
    logActivity(deps.db, { at, ...accountNamed(account), action: "forbidden", after: { asked } });
  }
  return FORBIDDEN;
}

/** Null if the role may do it; customers act on their own booking only. Refusal: `forbidden`. */
export function refuseRole(
  deps: ReadDeps,
  actor: Actor,
  subject: Subject,
  asked: string,
): Failure | null {
  if (actor.kind === "customer" || mayDo(actor.role, subject)) return null;
  return forbid(deps, actor, asked);
}
