/** The admin sets and blocks times. Sessions booked already stay, and are named in the answer. */

import { DEFAULT_TIMES } from "#app/catalogue.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ActivityAction, ActivityData } from "#app/model/activity.ts";
import { type Actor, actorName } from "#app/model/actor.ts";
import { addDays, dateInIndia, daysBetween, instantOf, weekdayOf } from "#app/model/dates.ts";
import { type Failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { BLOCK_MINUTES } from "#app/model/time-slot.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  type Block,
  deleteAvailability,
  deleteBlock,
  findSetTimes,
  type LiveSession,
  listBlocks,
  listLiveSessions,
  saveAvailability,
  saveBlock,
} from "#db/queries/availability-writes.server.ts";
import { overlaps } from "./slots.ts";

/** Dates that one press may change. */
export const MOST_DATES = 400;

type ChangeDeps = Pick<Deps, "db" | "now">;

/** A live appointment that the change does not suit. */
export type AffectedSession = LiveSession;

export interface AvailabilityWish {
  counselorKey: string;
  /** `yyyy-MM-dd`, none in the past. */
  dates: readonly string[];
  /** Of the master list, ascending, at least one. */
  timeSlots: readonly string[];
}

/**
 * Replaces the times of each date. Affected are live sessions that start at a time no longer on
 * the list. Refusal: `validation_failed` (no date, a past date, too many).
 */
export function setAvailability(
  deps: ChangeDeps,
  actor: Actor,
  { counselorKey, dates, timeSlots }: AvailabilityWish,
): Outcome<{ timeSlots: string[]; affected: AffectedSession[] }> {
  return changeDates(deps, dates, (tx, now) => {
    const before = eachDate(dates, (date) => findSetTimes(tx, counselorKey, date) ?? DEFAULT);
    for (const date of dates) saveAvailability(tx, counselorKey, date, timeSlots, now);
    logPress(tx, actor, "slots_set", { counselorKey, dates, before, after: { timeSlots } }, now);
    const affected = liveOn(tx, counselorKey, dates, now).filter(
      (session) => !timeSlots.includes(session.timeSlot),
    );
    return { timeSlots: [...timeSlots], affected };
  });
}

/** Back to the default times. Affected as above. Refusal: `validation_failed`. */
export function resetAvailability(
  deps: ChangeDeps,
  actor: Actor,
  { counselorKey, dates }: Pick<AvailabilityWish, "counselorKey" | "dates">,
): Outcome<{ timeSlots: string[]; affected: AffectedSession[] }> {
  return changeDates(deps, dates, (tx, now) => {
    const before = eachDate(dates, (date) => findSetTimes(tx, counselorKey, date) ?? DEFAULT);
    for (const date of dates) deleteAvailability(tx, counselorKey, date);
    const after = { timeSlots: DEFAULT };
    logPress(tx, actor, "slots_reset", { counselorKey, dates, before, after }, now);
    const affected = liveOn(tx, counselorKey, dates, now).filter(
      (session) => !DEFAULT_TIMES.includes(session.timeSlot),
    );
    return { timeSlots: [...DEFAULT_TIMES], affected };
  });
}

export interface BlockWish extends AvailabilityWish {
  action: "block" | "unblock";
  reason?: string | undefined;
}

/**
 * Blocks or frees the times on each date. `blockedSlots` are those blocked on every one of the
 * dates afterwards; affected are live sessions that a new block touches. Refusal:
 * `validation_failed`.
 */
export function setBlocks(
  deps: ChangeDeps,
  actor: Actor,
  { counselorKey, dates, timeSlots, action, reason }: BlockWish,
): Outcome<{ blockedSlots: string[]; affected: AffectedSession[] }> {
  return changeDates(deps, dates, (tx, now) => {
    const before = eachDate(dates, (date) => blockedTimes(tx, counselorKey, date));
    for (const date of dates) {
      for (const timeSlot of timeSlots) {
        if (action === "unblock") deleteBlock(tx, counselorKey, date, timeSlot);
        else saveBlock(tx, { counselorKey, date, timeSlot, reason: reason || null }, now);
      }
    }
    const after = { timeSlots, ...(reason ? { reason } : {}) };
    logPress(tx, actor, action, { counselorKey, dates, before, after }, now);
    const lists = dates.map((date) => blockedTimes(tx, counselorKey, date));
    const blockedSlots = (lists[0] ?? []).filter((slot) => lists.every((l) => l.includes(slot)));
    if (action === "unblock") return { blockedSlots, affected: [] };
    const affected = liveOn(tx, counselorKey, dates, now).filter((session) =>
      timeSlots.some((timeSlot) => overlaps(session, blockSpan(session.date, timeSlot))),
    );
    return { blockedSlots, affected };
  });
}

/**
 * The dates from `from` to `to`, both inclusive, or only those on the chosen weekdays (0 is
 * Sunday). Empty if the range is; cut after the number that one press may change, plus one.
 */
export function expandDates({
  from,
  to,
  weekdays,
}: {
  from: string;
  to: string;
  weekdays?: readonly number[] | undefined;
}): string[] {
  const dates: string[] = [];
  const days = Math.min(daysBetween(from, to), 3_660);
  for (let i = 0; i <= days && dates.length <= MOST_DATES; i++) {
    const date = addDays(from, i);
    if (!weekdays?.length || weekdays.includes(weekdayOf(date))) dates.push(date);
  }
  return dates;
}

export interface AdminDay {
  /** The date's own list, or the default times. */
  timeSlots: string[];
  isDefault: boolean;
  blocked: Block[];
  booked: {
    timeSlot: string;
    appointmentId: string;
    name: string;
    status: LiveSession["status"];
    minutes: number;
  }[];
}

/** One day as the admin sees it; a past one too. */
export function readAdminDay(deps: ChangeDeps, counselorKey: string, date: string): AdminDay {
  const { db } = deps;
  const set = findSetTimes(db, counselorKey, date);
  return {
    timeSlots: set ?? [...DEFAULT_TIMES],
    isDefault: set === null,
    blocked: listBlocks(db, counselorKey, date),
    booked: listLiveSessions(db, counselorKey, date, deps.now()).map((session) => ({
      timeSlot: session.timeSlot,
      appointmentId: session.id,
      name: session.name,
      status: session.status,
      minutes: session.minutes,
    })),
  };
}

function changeDates<T>(
  deps: ChangeDeps,
  dates: readonly string[],
  work: (tx: Db, now: number) => T,
): Outcome<T> {
  const now = deps.now();
  const refusal = refuseDates(dates, now);
  return refusal ?? inTransaction(deps.db, (tx) => success(work(tx, now)));
}

function refuseDates(dates: readonly string[], now: number): Failure | null {
  const today = dateInIndia(now);
  if (dates.length === 0) return invalid({ date: ["Date is required"] });
  if (dates.some((date) => date < today)) {
    return invalid({ date: ["Please select a date that is not in the past"] });
  }
  if (dates.length > MOST_DATES) {
    return invalid({ date: [`Please select at most ${MOST_DATES} dates at once`] });
  }
  return null;
}

function liveOn(
  tx: Db,
  counselorKey: string,
  dates: readonly string[],
  now: number,
): LiveSession[] {
  return dates.flatMap((date) => listLiveSessions(tx, counselorKey, date, now));
}

function blockedTimes(tx: Db, counselorKey: string, date: string): string[] {
  return listBlocks(tx, counselorKey, date).map((block) => block.timeSlot);
}

function blockSpan(date: string, timeSlot: string) {
  const startsAt = instantOf(date, timeSlot);
  return { startsAt, endsAt: startsAt + BLOCK_MINUTES * 60_000 };
}

/** What the activity log writes where no list is set. */
const DEFAULT = "default";

function eachDate<T>(dates: readonly string[], read: (date: string) => T): Record<string, T> {
  return Object.fromEntries(dates.map((date) => [date, read(date)]));
}

/** One entry for one press, however many dates it changed. */
function logPress(
  tx: Db,
  actor: Actor,
  action: ActivityAction,
  press: {
    counselorKey: string;
    dates: readonly string[];
    before: ActivityData;
    after: ActivityData;
  },
  now: number,
): void {
  const { counselorKey, dates, before, after } = press;
  const last = dates.length > 1 ? ` to ${dates.at(-1)}` : "";
  const target = `${counselorKey} ${dates[0]}${last}`;
  logActivity(tx, { at: now, actor: actorName(actor), action, target, before, after });
}
