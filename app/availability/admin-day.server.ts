/** One day of a captain as the admin sees it. */
import type { Deps } from "#app/core/deps.server.ts";
import type { Block } from "#app/model/day-plan.ts";
import {
  type LiveSession,
  listLiveSessions,
  readDayPlan,
} from "#db/queries/availability.server.ts";

export interface AdminDay {
  /** The date's own list, or the times of the weekly hours, or the default times. */
  timeSlots: readonly string[];
  /** No times are set for the date. */
  isDefault: boolean;
  hasHours: boolean;
  blocked: readonly Block[];
  booked: {
    timeSlot: string;
    appointmentId: string;
    calendarUid: string;
    name: string;
    status: LiveSession["status"];
    minutes: number;
  }[];
}

/** A past day too. */
export function readAdminDay(
  deps: Pick<Deps, "db" | "now">,
  counselorKey: string,
  date: string,
): AdminDay {
  const { db } = deps;
  const now = deps.now();
  const { setTimes, usualTimes, hasHours, blocked } = readDayPlan(db, counselorKey, date, now);
  return {
    timeSlots: setTimes ?? usualTimes,
    isDefault: setTimes === null,
    hasHours,
    blocked,
    booked: listLiveSessions(db, counselorKey, date, now).map((session) => ({
      timeSlot: session.timeSlot,
      appointmentId: session.id,
      calendarUid: session.calendarUid,
      name: session.name,
      status: session.status,
      minutes: session.minutes,
    })),
  };
}
