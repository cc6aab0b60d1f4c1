/**
 * A captain's weekly hours, and days off of one captain or of all. Sessions that are already booked
 * stay, and are returned.
 */

import { isDeepStrictEqual } from "node:util";
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { failure, invalid, NO_LEAVE, type Outcome, success } from "#app/model/outcome.ts";
import {
  deleteLeave,
  findHours,
  findLeave,
  type Hours,
  insertLeave,
  type LeaveEntry,
  listLeave,
  saveHours,
} from "#db/queries/hours.server.ts";
import { type Clash, forgetEndedCauses, listClashes } from "./clashes.server.ts";

const STALE = failure(
  "stale",
  "The hours were changed in the meantime. Please look at them again before you go on.",
);

/** Replaces week and buffer. `counselorKey` must be a captain's. Refusal: `stale`. */
export function setHours(
  deps: ChangeDeps,
  actor: Actor,
  counselorKey: string,
  { week, bufferMinutes, version }: Omit<Hours, "version"> & { version?: number | undefined },
): Outcome<{ hours: Hours; affected: Clash[] }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const { version: current, ...before } = findHours(tx, counselorKey);
    if (version !== undefined && version !== current) return STALE;
    const hours = { week, bufferMinutes, version: current + 1 };
    saveHours(tx, counselorKey, hours);
    forgetEndedCauses(tx, counselorKey, now);
    log("hours_set", counselorKey, { before, after: { week, bufferMinutes } });
    const affected = listClashes(tx, now, {
      session: (session) => session.counselorKey === counselorKey,
      cause: ({ kind }) => kind === "hours" || kind === "buffer",
    });
    return success({ hours, affected });
  });
}

type ChangeDeps = Pick<Deps, "db" | "now" | "wake">;

type LeaveInput = Omit<LeaveEntry, "id" | "reason"> & { reason?: string | undefined };

/** The same leave is added only once. Refusal: `validation_failed` if it is over already. */
export function addLeave(
  deps: ChangeDeps,
  actor: Actor,
  { counselorKey, from, to, reason }: LeaveInput,
): Outcome<{ leave: LeaveEntry; affected: Clash[] }> {
  return change(deps, actor, ({ tx, now, log }) => {
    if (to < dateInIndia(now)) {
      return invalid({ to: ["Please select a date that is not in the past"] });
    }
    const wanted = { counselorKey, from, to, reason: reason || null };
    const same = listLeave(tx, to).find(({ id: _, ...one }) => isDeepStrictEqual(one, wanted));
    const leave = same ?? { id: newId(), ...wanted };
    if (!same) {
      insertLeave(tx, leave, now);
      log("leave_add", counselorKey ?? "all", { after: { from, to, reason: leave.reason } });
    }
    const affected = listClashes(tx, now, {
      session: (one) => counselorKey === null || one.counselorKey === counselorKey,
      cause: ({ key }) => key === `leave:${leave.id}`,
    });
    return success({ leave, affected });
  });
}

/** Refusal: `not_found`. */
export function removeLeave(deps: ChangeDeps, actor: Actor, id: string): Outcome<LeaveEntry> {
  return change(deps, actor, ({ tx, log }) => {
    const leave = findLeave(tx, id);
    if (!leave) return NO_LEAVE;
    deleteLeave(tx, id);
    const { counselorKey, from, to, reason } = leave;
    log("leave_remove", counselorKey ?? "all", { before: { from, to, reason } });
    return success(leave);
  });
}
