/** A captain's day: the next session, those of today and the next days, and what is to be noted. */
import { readOwnSessions } from "#app/booking/dashboard.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { addDays, adminDay, dateInIndia } from "#app/model/dates.ts";
import { ownSessionView } from "#app/routes/admin/parts/views.server.ts";

export type OwnDay = ReturnType<typeof readOwnDay>;

export function readOwnDay(deps: Pick<Deps, "db" | "now">, counselorKey: string) {
  const now = deps.now();
  const today = dateInIndia(now);
  const { next, fromToday, withoutAttendance } = readOwnSessions(deps, counselorKey);
  const others = Map.groupBy(
    fromToday.filter((one) => one !== next),
    ({ date }) => date,
  );
  const words = new Map([
    [today, "Today"],
    [addDays(today, 1), "Tomorrow"],
  ]);
  return {
    /** The instant of all this. */
    now,
    next: next && ownSessionView(next, now),
    days: [...others].map(([date, sessions]) => ({
      date,
      word: words.get(date) ?? null,
      day: adminDay(date),
      sessions: sessions.map((one) => ownSessionView(one, now)),
    })),
    withoutAttendance: withoutAttendance.map((one) => ownSessionView(one, now)),
  };
}
