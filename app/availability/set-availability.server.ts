/**
 * Sets and blocks times, weekly hours and leave. Sessions that are already booked stay, and are
 * returned.
 */
import { isDeepStrictEqual } from "node:util";
import { changeOfferSettings } from "#app/catalogue/change-catalogue.server.ts";
import { type Change, change } from "#app/core/change.server.ts";
import { countersByEnv, takeEach } from "#app/core/counters.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Catalogue } from "#app/model/catalogue.ts";
import { DAY, dateInIndia, daysBetween } from "#app/model/dates.ts";
import type { DayPlan } from "#app/model/day-plan.ts";
import { newId } from "#app/model/ids.ts";
import { failure, invalid, NO_LEAVE, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import {
  deleteAvailability,
  deleteBlock,
  readDayPlan,
  readDayPlans,
  saveAvailability,
  saveBlock,
} from "#db/queries/availability.server.ts";
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
  /** `yyyy-MM-dd`, ascending, none in the past. */
  dates: readonly string[];
}

interface TimesOfDates {
  timeSlots: readonly string[] | null;
  shown?: readonly string[] | undefined;
}

/**
 * Replaces the times of each date. `timeSlots`: times of the master list, ascending, or null for the
 * weekly hours or default times; the same ones change nothing. `shown`: the times of the first date
 * that a form was filled with. Returns the times of the first date, and as `affected` the booked
 * sessions whose start is not offered. Refusals: `validation_failed` (no date, too many, past or too
 * far), `rate_limited` (a captain, too many dates in a day), `stale` (not as `shown` any more).
 */
export function setAvailability(
  deps: ChangeDeps,
  actor: Actor,
  { timeSlots: set, shown, ...on }: CaptainDates & TimesOfDates,
): Outcome<{ timeSlots: string[]; affected: Clash[] }> {
  const { counselorKey, dates } = on;
  return changeDates(deps, actor, on, ({ tx, now, log }) => {
    const plans = plansOn(tx, on, now);
    if (!plans.every(({ setTimes }) => isDeepStrictEqual(setTimes, set))) {
      const { setTimes, usualTimes } = plans[0]!;
      if (shown && !isDeepStrictEqual(setTimes ?? usualTimes, shown)) return STALE_DAY;
      for (const date of dates) {
        if (set) saveAvailability(tx, counselorKey, date, set, now);
        else deleteAvailability(tx, counselorKey, date);
      }
      forgetEndedCauses(tx, counselorKey, now);
      const before = byDate(plans, ({ setTimes }) => setTimes ?? DEFAULT);
      const after = { timeSlots: set ?? DEFAULT };
      log(set ? "slots_set" : "slots_reset", targetOf(on), { before, after });
    }
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
 * Blocks or frees the times on each date; those that are so already change nothing. `blockedSlots`:
 * those blocked on every date afterwards; `affected`: live sessions that the block overlaps. Refuses
 * like `setAvailability`.
 */
export function setBlocks(
  deps: ChangeDeps,
  actor: Actor,
  { timeSlots, action, reason, ...on }: BlockInput,
): Outcome<{ blockedSlots: string[]; affected: Clash[] }> {
  const { counselorKey, dates } = on;
  return changeDates(deps, actor, on, ({ tx, now, log }) => {
    const plans = plansOn(tx, on, now);
    const isSame = plans.every((plan) =>
      timeSlots.every((slot) => isAsAsked({ action, reason }, plan, slot)),
    );
    if (!isSame) {
      for (const date of dates) {
        for (const timeSlot of timeSlots) {
          if (action === "unblock") deleteBlock(tx, counselorKey, date, timeSlot);
          else saveBlock(tx, { counselorKey, date, timeSlot, reason: reason || null }, now);
        }
      }
      forgetEndedCauses(tx, counselorKey, now);
      const after = { timeSlots, ...(reason ? { reason } : {}) };
      log(action, targetOf(on), { before: byDate(plans, blockedTimes), after });
    }
    const lists = plansOn(tx, on, now).map(blockedTimes);
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

/** True if the time is as asked already. A block keeps its reason where none is given. */
function isAsAsked(
  { action, reason }: Pick<BlockInput, "action" | "reason">,
  { blocked }: DayPlan,
  timeSlot: string,
): boolean {
  const block = blocked.find((one) => one.timeSlot === timeSlot);
  if (action === "unblock") return block === undefined;
  return block !== undefined && (!reason || block.reason === reason);
}

const blockedTimes = ({ blocked }: DayPlan) => blocked.map(({ timeSlot }) => timeSlot).sort();

/** Stands in the activity log for a date without times of its own. */
const DEFAULT = "default";

function plansOn(tx: Db, { counselorKey, dates }: CaptainDates, now: number): DayPlan[] {
  const wanted = new Set(dates);
  const plans = readDayPlans(tx, counselorKey, dates[0]!, dates.at(-1)!, now);
  return plans.filter(({ date }) => wanted.has(date));
}

function byDate<T>(plans: readonly DayPlan[], read: (plan: DayPlan) => T): Record<string, T> {
  return Object.fromEntries(plans.map((plan) => [plan.date, read(plan)]));
}

/** One entry per change, however many dates it touched. */
function targetOf({ counselorKey, dates }: CaptainDates): string {
  const last = dates.length > 1 ? ` to ${dates.at(-1)}` : "";
  return `${counselorKey} ${dates[0]}${last}`;
}

const STALE_DAY = failure(
  "stale",
  "The times of this day were changed in the meantime; those that hold now are marked. Please look at them again before you go on.",
);

const STALE = failure(
  "stale",
  "The hours were changed in the meantime. Please look at them again before you go on.",
);

/**
 * Replaces week and buffer; the same ones change nothing. `counselorKey` must be a captain's.
 * Refusal: `stale`.
 */
export function setHours(
  deps: ChangeDeps,
  actor: Actor,
  counselorKey: string,
  { week, bufferMinutes, version }: Omit<Hours, "version"> & { version?: number | undefined },
): Outcome<{ hours: Hours; affected: Clash[] }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const { version: current, ...before } = findHours(tx, counselorKey);
    if (version !== undefined && version !== current) return STALE;
    const after = { week, bufferMinutes };
    const isSame = isDeepStrictEqual(after, before);
    const hours = { ...after, version: isSame ? current : current + 1 };
    if (!isSame) {
      saveHours(tx, counselorKey, hours);
      forgetEndedCauses(tx, counselorKey, now);
      log("hours_set", counselorKey, { before, after });
    }
    const affected = listClashes(tx, now, {
      session: (session) => session.counselorKey === counselorKey,
      cause: ({ kind }) => kind === "hours" || kind === "buffer",
    });
    return success({ hours, affected });
  });
}

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
