/** Which times and days a visitor may book. */
import type { Deps } from "#app/core/deps.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { LONGEST_SESSION_MINUTES } from "#app/model/time-slot.ts";
import { readDayPlan, readDayPlans } from "#db/queries/availability.server.ts";
import { type BookingRules, bookableTimes, isDateOffered, lastDateOffered } from "./slots.ts";

type SlotDeps = Pick<Deps, "db" | "env" | "now">;

/** Next free times named by one answer, at the most. */
const NEXT_TIMES = 6;

interface SlotQuery {
  counselorKey: string;
  minutes?: number | undefined;
  /** The booking whose time counts as free: the unpaid one of the browser that asks. */
  ownHoldId?: string;
}

export interface Slots {
  availableSlots: string[];
  defaultSlots: string[];
}

/**
 * Every bookable time of the date; `defaultSlots` the same while no availability is set for it.
 * Without `minutes` a time is offered only if the longest package fits.
 */
export function readSlots({ db, env, now }: SlotDeps, query: SlotQuery & { date: string }): Slots {
  const at = now();
  if (!isDateOffered(query.date, env, at)) return { availableSlots: [], defaultSlots: [] };
  const plan = readDayPlan(db, query.counselorKey, query.date, at, query.ownHoldId);
  const times = bookableTimes(plan, query.minutes ?? LONGEST_SESSION_MINUTES, env, at);
  return { availableSlots: times, defaultSlots: plan.setTimes === null ? times : [] };
}

export interface Availability {
  /** Date → number of free times, for every date asked for that is offered. */
  days: Record<string, number>;
  /** The next free times from `from` on, also after `to`. */
  next: { date: string; timeSlot: string }[];
}

/** Free times a day from `from` to `to` (both inclusive, cut to the booking window). */
export function readAvailability(
  { db, env, now }: SlotDeps,
  query: SlotQuery & { from: string; to: string },
): Availability {
  const at = now();
  const rules: BookingRules = env;
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
  // A full month still has something to offer: the search goes on a fortnight at a time.
  for (let start = addDays(to < from ? from : to, to < from ? 0 : 1); ; ) {
    if (next.length === NEXT_TIMES || start > last) break;
    count(start, addDays(start, 13), null);
    start = addDays(start, 14);
  }
  return { days, next };
}
