/** Sessions at times that are not offered, until they are moved, cancelled or kept on purpose. */
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import { type Actor, actorNamed } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { DAY, formatClock, formatSlot, instantOf } from "#app/model/dates.ts";
import type { DayPlan, SessionTime, Span } from "#app/model/day-plan.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import {
  deleteKeptClash,
  deleteKeptClashes,
  type FutureSession,
  insertKeptClash,
  listFutureSessions,
  listKeptClashes,
} from "#db/queries/hours.server.ts";
import { causeOf, type Obstacle, obstaclesOn, overlaps } from "./slots.ts";

export interface Clash extends FutureSession {
  causes: Cause[];
}

interface ClashFilter {
  session?: (session: FutureSession) => boolean;
  cause?: (cause: Cause) => boolean;
}

const any = () => true;

/**
 * Live sessions still to begin, in order of time, each with the causes against it that staff have
 * not accepted. If two sessions are too close, the later one is listed.
 */
export function listClashes(db: Db, now: number, filter: ClashFilter = {}): Clash[] {
  const sessions = listFutureSessions(db, now).filter(filter.session ?? any);
  if (sessions.length === 0) return [];
  const kept = new Set(listKeptClashes(db, now).map((one) => keyOfKept(one, one.cause)));
  const plans = new Map<string, DayPlan>();
  return sessions.flatMap((session) => {
    const { counselorKey, date, startsAt } = session;
    const day = `${counselorKey} ${date}`;
    const plan = plans.get(day) ?? readDayPlan(db, counselorKey, date, now);
    plans.set(day, plan);
    const causes = causesAgainst(plan, session)
      .filter(filter.cause ?? any)
      .filter(({ otherStartsAt = 0 }) => otherStartsAt <= startsAt)
      .filter((cause) => !keysOfKept(session, cause).some((name) => kept.has(name)));
    return causes.length > 0 ? [{ ...session, causes }] : [];
  });
}

/**
 * Keeps a session in spite of those `seen` causes that still hold. Refusals: `not_found` (no such
 * session, or no cause is left), `stale`.
 */
export function keepClash(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  seen: { version: number; causes: readonly string[] },
): Outcome<Clash> {
  return change(deps, actor, ({ tx, now, log }): Outcome<Clash> => {
    const [clash] = listClashes(tx, now, { session: (one) => one.id === id });
    if (!clash) return failure("not_found", "Nothing speaks against this session any more.");
    const causes = clash.causes.filter(({ key }) => seen.causes.includes(key));
    if (clash.version !== seen.version || causes.length === 0) {
      return failure("stale", "This session was changed in the meantime. Please look at it again.");
    }
    log("clash_keep", id, { after: { inSpiteOf: keepCauses(tx, actor, clash, causes, now) } });
    return success({ ...clash, causes });
  });
}

/** Deletes kept causes that have ended; if one comes back, the session is listed again. */
export function forgetEndedCauses(tx: Db, counselorKey: string, now: number): void {
  const kept = listKeptClashes(tx, now).filter((one) => one.counselorKey === counselorKey);
  if (kept.length === 0) return;
  const sessions = new Map(listFutureSessions(tx, now).map((session) => [session.id, session]));
  for (const { id, cause } of kept) {
    const session = sessions.get(id);
    if (!session) continue;
    const plan = readDayPlan(tx, counselorKey, session.date, now);
    const causes = causesAgainst(plan, session);
    if (!causes.some(({ key }) => key === cause)) deleteKeptClash(tx, { counselorKey, cause, id });
  }
}

/**
 * Keeps a session in spite of the causes against the time that staff chose, who have seen them, and
 * returns these causes in words. Causes kept for its previous time are deleted.
 */
export function keepAsTaken(tx: Db, actor: Actor, session: SessionOf, now: number): string[] {
  deleteKeptClashes(tx, session.id);
  if (actor.kind !== "admin") return [];
  const plan = readDayPlan(tx, session.counselorKey, session.date, now);
  return keepCauses(tx, actor, session, causesAgainst(plan, session), now);
}

type SessionOf = SessionTime & Pick<Appointment, "id">;

function keepCauses(
  tx: Db,
  actor: Actor,
  { id, counselorKey, startsAt }: Pick<SessionOf, "id" | "counselorKey" | "startsAt">,
  causes: readonly Cause[],
  now: number,
): string[] {
  for (const { key: cause } of causes) {
    insertKeptClash(tx, { id, counselorKey, startsAt, cause, by: actorNamed(actor).actor }, now);
  }
  return causes.map(({ words }) => words);
}

function keyOfKept(
  { counselorKey, startsAt }: Pick<FutureSession, "counselorKey" | "startsAt">,
  cause: string,
): string {
  return `${counselorKey} ${startsAt} ${cause}`;
}

/** A clash of buffers between two sessions may be kept under either of them. */
function keysOfKept(session: FutureSession, { key, otherStartsAt }: Cause): string[] {
  const own = keyOfKept(session, key);
  if (otherStartsAt === undefined) return [own];
  const other = { ...session, startsAt: otherStartsAt };
  return [own, keyOfKept(other, `buffer:${session.startsAt}`)];
}

export interface Cause {
  /** `hours`: it begins outside the day's times. `off`: its captain is not offered. */
  kind: Obstacle["kind"] | "hours" | "off";
  /** Identifies the cause, also in the database. */
  key: string;
  words: string;
  /** For a buffer, the start of the other session. */
  otherStartsAt?: number;
}

/** At most in one form, so that it stays well below the limits of forms. */
export const MOST_CAUSES = 1_000;

/** All causes against a session on its day, except its own time. */
function causesAgainst(plan: DayPlan, session: Span & { timeSlot: string }): Cause[] {
  const causes: Cause[] = [];
  if (plan.isOff) causes.push({ kind: "off", key: "off", words: "The captain is off the page" });
  if (!(plan.setTimes ?? plan.usualTimes).includes(session.timeSlot)) {
    causes.push({ kind: "hours", key: "hours", words: "Outside the hours of the day" });
  }
  const taken = plan.taken.filter(({ startsAt }) => startsAt !== session.startsAt);
  for (const obstacle of obstaclesOn({ ...plan, taken })) {
    if (!overlaps(session, obstacle)) continue;
    causes.push({
      kind: obstacle.kind,
      key: causeOf(obstacle),
      words: obstacleWords(plan, obstacle),
      ...(obstacle.kind === "buffer" && { otherStartsAt: Number(obstacle.of) }),
    });
  }
  return causes;
}

/** A sentence without its full stop. */
export function obstacleWords(plan: DayPlan, obstacle: Obstacle): string {
  const { kind, of, startsAt, endsAt } = obstacle;
  const reason = obstacle.reason ? ` (${obstacle.reason})` : "";
  switch (kind) {
    case "taken":
      return "Another session is at this time";
    case "block":
      return `Blocked at ${formatSlot(String(of))}${reason}`;
    case "leave":
      return `On leave${reason}`;
    case "buffer":
      return `Less than ${plan.bufferMinutes} minutes from the session at ${formatClock(Number(of))}`;
    case "busy":
      return startsAt === instantOf(plan.date) && endsAt - startsAt === DAY
        ? "Busy all day in the imported calendar"
        : `Busy in the imported calendar from ${formatClock(startsAt)} to ${formatClock(endsAt)}`;
  }
}
