/** The calendar of the captains: what is offered, blocked, busy, off and booked, day by day. */
import { bookableTimes } from "#app/availability/slots.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Counselor } from "#app/model/catalogue.ts";
import { timeInIndia } from "#app/model/dates.ts";
import type { Block, Leave, Span } from "#app/model/day-plan.ts";
import { MINUTE } from "#app/model/duration.ts";
import { LONGEST_SESSION_MINUTES } from "#app/model/time-slot.ts";
import {
  type LiveSession,
  listLiveSessionsBetween,
  readDayPlans,
} from "#db/queries/availability.server.ts";

/** Wall-clock times in India, `HH:mm`; `24:00` is the end of the day. */
export interface BusyTime {
  from: string;
  to: string;
}

export interface CounselorDay {
  key: string;
  name: string;
  /** Start times that a visitor may book with any package; none of a captain off the page. */
  offered: string[];
  blocked: readonly Block[];
  busy: BusyTime[];
  leave: Omit<Leave, "id"> | null;
  /** Those that keep their time: paid, or unpaid within their hold. In order of time. */
  sessions: LiveSession[];
}

export interface CalendarDay {
  /** `yyyy-MM-dd` in India. */
  date: string;
  counselors: CounselorDay[];
}

/** Every date from `from` to `to`, both inclusive. The queries are as many for a month as for a day. */
export function readCalendar(
  deps: Pick<Deps, "db" | "env" | "now">,
  { counselors, from, to }: { counselors: readonly Counselor[]; from: string; to: string },
): CalendarDay[] {
  const { db, env } = deps;
  const now = deps.now();
  const booked = new Set(readBookable(deps).counselors.map(({ key }) => key));
  const columns = counselors.map(({ key, name }) => {
    const sessions = Map.groupBy(
      listLiveSessionsBetween(db, { counselorKey: key, from, to }, now),
      ({ date }) => date,
    );
    return readDayPlans(db, key, from, to, now).map((plan): [string, CounselorDay] => [
      plan.date,
      {
        key,
        name,
        offered: booked.has(key) ? bookableTimes(plan, LONGEST_SESSION_MINUTES, env, now) : [],
        blocked: plan.blocked.toSorted((a, b) => a.timeSlot.localeCompare(b.timeSlot)),
        busy: plan.busy.toSorted((a, b) => a.startsAt - b.startsAt).map(busyTime),
        leave: plan.leave[0] ? leaveOf(plan.leave[0]) : null,
        sessions: sessions.get(plan.date) ?? [],
      },
    ]);
  });
  return (columns[0] ?? []).map(([date], i) => ({
    date,
    counselors: columns.map((days) => days[i]![1]),
  }));
}

function leaveOf({ from, to, reason }: Leave) {
  return { from, to, reason };
}

/** Whole minutes around it. What is known of a day ends at its midnight. */
function busyTime({ startsAt, endsAt }: Span): BusyTime {
  const to = timeInIndia(endsAt + MINUTE - 1);
  return { from: timeInIndia(startsAt), to: to === "00:00" ? "24:00" : to };
}
