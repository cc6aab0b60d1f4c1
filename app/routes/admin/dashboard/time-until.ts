import { formatClock } from "#app/model/dates.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";

/** How far off a session is, in whole minutes begun. Instants, milliseconds UTC. */
export function timeUntil({ startsAt, endsAt }: { startsAt: number; endsAt: number }, now: number) {
  if (endsAt <= now) return "Over";
  if (startsAt <= now) return `Now, until ${formatClock(endsAt)}`;
  const minutes = Math.ceil((startsAt - now) / MINUTE);
  if (minutes < HOUR / MINUTE) return `Next, in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  // Of what is a day off nobody counts the minutes.
  const and = rest > 0 && minutes < DAY / MINUTE ? ` ${rest} min` : "";
  return `Next, in ${hours} ${hours === 1 ? "hour" : "hours"}${and}`;
}
