/** Which times and days a visitor may book, and what an admin sees of a captain's day. */
import type { ReadDeps } from "#app/core/deps.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { BLOCK_MINUTES, type DayPlan, LONGEST_SESSION_MINUTES } from "#app/model/day-plan.ts";
import {
  listLiveSessionsBetween,
  readDayPlan,
  readDayPlans,
} from "#db/queries/availability.server.ts";
import {
  type BookingRules,
  bookableTimes,
  isDateOffered,
  lastDateOffered,
  obstacleTo,
  startTimes,
} from "./slots.ts";

const NEXT_TIMES = 6;

interface SlotQuery {
  counselorKey: string;
  minutes?: number | undefined;
  /** The browser's own unpaid booking, whose time counts as free. */
  ownHoldId?: string;
}

export interface Slots {
  availableSlots: string[];
  defaultSlots: string[];
}

/**
 * Every bookable time of the date; `defaultSlots` repeats them if no times are set for the date.
 * Without `minutes`, a time must fit the longest session.
 */
export function readSlots({ db, env, now }: ReadDeps, query: SlotQuery & { date: string }): Slots {
  const at = now();
  if (!isDateOffered(query.date, env, at)) return { availableSlots: [], defaultSlots: [] };
  const plan = readDayPlan(db, query.counselorKey, query.date, at, query.ownHoldId);
  const times = bookableTimes(plan, query.minutes ?? LONGEST_SESSION_MINUTES, env, at);
  return { availableSlots: times, defaultSlots: plan.setTimes === null ? times : [] };
}

export interface Availability {
  /** Date → number of free times, for every requested date that is offered. */
  days: Record<string, number>;
  /** The next free times after `from`, also beyond `to`. */
  next: { date: string; timeSlot: string }[];
}

/** Free times per day from `from` to `to` (both inclusive, cut to the booking window). */
export function readAvailability(
  { db, env, now }: ReadDeps,
  query: SlotQuery & { from: string; to: string },
): Availability {
  const at = now();
  // Read once, not for each day of a month.
  const { minNoticeMinutes, bookingWindowDays } = env;
  const rules: BookingRules = { minNoticeMinutes, bookingWindowDays };
  const today = dateInIndia(at);
  const last = lastDateOffered(rules, at);
  const from = query.from < today ? today : query.from;
  const to = query.to > last ? last : query.to;
  const minutes = query.minutes ?? LONGEST_SESSION_MINUTES;
  const days: Record<string, number> = {};
  const next: Availability["next"] = [];
  const count = (first: string, final: string, into: Record<string, number> | null) => {
    for (const plan of readDayPlans(db, query.counselorKey, first, final, at, query.ownHoldId)) {
      const times = bookableTimes(plan, minutes, rules, at);
      if (into) into[plan.date] = times.length;
      for (const timeSlot of times) {
        if (next.length === NEXT_TIMES) break;
        next.push({ date: plan.date, timeSlot });
      }
    }
  };
  if (from <= to) count(from, to, days);
  // If the month is full, the search goes on a fortnight at a time.
  for (let start = addDays(to < from ? from : to, to < from ? 0 : 1); ; ) {
    if (next.length === NEXT_TIMES || start > last) break;
    count(start, addDays(start, 13), null);
    start = addDays(start, 14);
  }
  return { days, next };
}

export type AdminDay = ReturnType<typeof readAdminDay>;

/** Past days too. `timeSlots`: those set for the day, else the weekly hours, else the default times. */
export function readAdminDay({ db, ...deps }: ReadDeps, counselorKey: string, date: string) {
  const now = deps.now();
  const { setTimes, usualTimes, hasHours, blocked } = readDayPlan(db, counselorKey, date, now);
  return {
    timeSlots: setTimes ?? usualTimes,
    isDefault: setTimes === null,
    hasHours,
    blocked,
    booked: listLiveSessionsBetween(db, { counselorKey, from: date, to: date }, now).map(
      ({ timeSlot, id: appointmentId, calendarUid, name, status, minutes }) => {
        return { timeSlot, appointmentId, calendarUid, name, status, minutes };
      },
    ),
  };
}

export type DayPreview = ReturnType<typeof previewOf>;

/** The day's times, each with what blocks even the shortest session; `reason` is that of a leave. */
export function previewOf(plan: DayPlan) {
  const { date, leave, setTimes, usualTimes, hasHours } = plan;
  const weekly = usualTimes.length === 0 ? "off" : "hours";
  const usual = hasHours ? weekly : "default";
  const source: "leave" | "set" | "hours" | "off" | "default" =
    leave.length > 0 ? "leave" : setTimes ? "set" : usual;
  return {
    date,
    source,
    reason: leave[0]?.reason ?? null,
    times: startTimes(plan).map((timeSlot) => {
      const obstacle = obstacleTo(plan, timeSlot, BLOCK_MINUTES)?.kind ?? null;
      return { timeSlot, obstacle };
    }),
  };
}
