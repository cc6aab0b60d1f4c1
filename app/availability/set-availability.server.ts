/** Sets and blocks times. Sessions that are already booked stay, and are returned. */
import { changeOfferSettings } from "#app/catalogue/change-offer.server.ts";
import { type Change, change } from "#app/core/change.server.ts";
import { countersByEnv, takeEach } from "#app/core/counters.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Catalogue } from "#app/model/catalogue.ts";
import { dateInIndia, daysBetween } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import {
  deleteAvailability,
  deleteBlock,
  findSetTimes,
  listBlocks,
  readDayPlan,
  saveAvailability,
  saveBlock,
} from "#db/queries/availability.server.ts";
import { type Clash, forgetEndedCauses, listClashes } from "./clashes.server.ts";
import { MOST_DATES } from "./fields.ts";

/** The longest booking window that the owner may set. */
const MOST_DAYS_AHEAD = 3_660;
/** How many dates a captain may change in a day: a whole year five times. */
const counters = countersByEnv({ dates: { points: 5 * MOST_DATES, windowMs: DAY } });
const TOO_MANY_TODAY = "You have changed too many dates today. Please go on tomorrow.";

/** Replaces the default times. Refusal: `stale`. */
export function setDefaultTimes(
  deps: ChangeDeps,
  actor: Actor,
  defaultTimes: Catalogue["defaultTimes"],
  version: number | undefined,
): Outcome<Catalogue> {
  return change(deps, actor, ({ tx, now }) => {
    const set = changeOfferSettings(deps, actor, { defaultTimes }, version);
    if (set.ok) for (const { key } of set.value.counselors) forgetEndedCauses(tx, key, now);
    return set;
  });
}

interface CaptainDates {
  counselorKey: string;
  /** `yyyy-MM-dd`, none in the past. */
  dates: readonly string[];
}

/**
 * Replaces the times of each date. `timeSlots`: times of the master list, ascending, or null for the
 * weekly hours or default times. Returns the times of the first date, and as `affected` the booked
 * sessions whose start is not offered. Refusals: `validation_failed` (no date, too many, past or too
 * far), `rate_limited` (a captain, too many dates in a day).
 */
export function setAvailability(
  deps: ChangeDeps,
  actor: Actor,
  { timeSlots: set, ...on }: CaptainDates & { timeSlots: readonly string[] | null },
): Outcome<{ timeSlots: string[]; affected: Clash[] }> {
  const { counselorKey, dates } = on;
  return changeDates(deps, actor, on, ({ tx, now, log }) => {
    const before = eachDate(dates, (date) => findSetTimes(tx, counselorKey, date) ?? DEFAULT);
    for (const date of dates) {
      if (set) saveAvailability(tx, counselorKey, date, set, now);
      else deleteAvailability(tx, counselorKey, date);
    }
    forgetEndedCauses(tx, counselorKey, now);
    const after = { timeSlots: set ?? DEFAULT };
    log(set ? "slots_set" : "slots_reset", targetOf(on), { before, after });
    const timeSlots = set ?? readDayPlan(tx, counselorKey, dates[0]!, now).usualTimes;
    const affected = listClashes(tx, now, {
      session: isOn(on),
      cause: ({ kind }) => kind === "hours",
    });
    return success({ timeSlots: [...timeSlots], affected });
  });
}

interface BlockInput extends CaptainDates {
  /** Times of the master list, at least one. */
  timeSlots: readonly string[];
  action: "block" | "unblock";
  reason?: string | undefined;
}

/**
 * Blocks or frees the times on each date. `blockedSlots`: those blocked on every date afterwards;
 * `affected`: live sessions that a new block overlaps. Refuses like `setAvailability`.
 */
export function setBlocks(
  deps: ChangeDeps,
  actor: Actor,
  { timeSlots, action, reason, ...on }: BlockInput,
): Outcome<{ blockedSlots: string[]; affected: Clash[] }> {
  const { counselorKey, dates } = on;
  return changeDates(deps, actor, on, ({ tx, now, log }) => {
    const before = eachDate(dates, (date) => blockedTimes(tx, counselorKey, date));
    for (const date of dates) {
      for (const timeSlot of timeSlots) {
        if (action === "unblock") deleteBlock(tx, counselorKey, date, timeSlot);
        else saveBlock(tx, { counselorKey, date, timeSlot, reason: reason || null }, now);
      }
    }
    forgetEndedCauses(tx, counselorKey, now);
    const after = { timeSlots, ...(reason ? { reason } : {}) };
    log(action, targetOf(on), { before, after });
    const lists = dates.map((date) => blockedTimes(tx, counselorKey, date));
    const blockedSlots = (lists[0] ?? []).filter((slot) => lists.every((l) => l.includes(slot)));
    if (action === "unblock") return success({ blockedSlots, affected: [] });
    const blocks = timeSlots.map((timeSlot) => `block:${timeSlot}`);
    const affected = listClashes(tx, now, {
      session: isOn(on),
      cause: ({ key }) => blocks.includes(key),
    });
    return success({ blockedSlots, affected });
  });
}

function changeDates<T>(
  deps: ChangeDeps,
  actor: Actor,
  { dates }: CaptainDates,
  work: (change: Change) => Outcome<T>,
): Outcome<T> {
  const now = deps.now();
  const fault = datesFault(dates, dateInIndia(now));
  if (fault) return invalid({ date: [fault] });
  return countDates(deps, actor, dates, now) ?? change(deps, actor, work);
}

function datesFault(dates: readonly string[], today: string): string | null {
  if (dates.length === 0) return "Date is required";
  if (dates.some((date) => date < today)) return "Please select a date that is not in the past";
  const isTooFar = dates.some((date) => daysBetween(today, date) > MOST_DAYS_AHEAD);
  if (isTooFar) return "Please select a date within the next ten years";
  if (dates.length > MOST_DATES) return `Please select at most ${MOST_DATES} dates at once`;
  return null;
}

function countDates({ env }: ChangeDeps, actor: Actor, dates: readonly string[], now: number) {
  if (actor.kind !== "admin" || actor.role !== "captain" || !env.rateLimit) return null;
  const key = { about: actor.username };
  const each = dates.map(() => [counters(env).dates, key] as const);
  const taken = takeEach(each, now, TOO_MANY_TODAY);
  return "ok" in taken ? taken : null;
}

function isOn({ counselorKey, dates }: CaptainDates) {
  return (session: { counselorKey: string; date: string }) =>
    session.counselorKey === counselorKey && dates.includes(session.date);
}

function blockedTimes(tx: Db, counselorKey: string, date: string): string[] {
  return listBlocks(tx, counselorKey, date).map((block) => block.timeSlot);
}

/** Stands in the activity log for a date without times of its own. */
const DEFAULT = "default";

function eachDate<T>(dates: readonly string[], read: (date: string) => T): Record<string, T> {
  return Object.fromEntries(dates.map((date) => [date, read(date)]));
}

/** One entry per change, however many dates it touched. */
function targetOf({ counselorKey, dates }: CaptainDates): string {
  const last = dates.length > 1 ? ` to ${dates.at(-1)}` : "";
  return `${counselorKey} ${dates[0]}${last}`;
}
