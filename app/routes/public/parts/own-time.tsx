/** The visitor's own wall-clock time, where it differs from India's. */
import { useHydrated } from "remix-utils/use-hydrated";
import { changeableUntil } from "#app/model/appointment.ts";
import { changeTerms, type Terms } from "#app/model/change-terms.ts";
import { INDIA } from "#app/model/dates.ts";

/** Until when a session can be changed, also in the visitor's own time. `words`: as the server says it. */
export function ChangeTerms({ words, ...terms }: Terms & { words?: string }) {
  const until = changeableUntil(terms.startsAt, terms.cutoffHours);
  return (
    <>
      {words ?? changeTerms(terms)}
      {terms.now < until && <OwnTime instant={until} />}
    </>
  );
}

/** After a sentence with a time of India's. `instant`: milliseconds UTC. */
export function OwnTime({ instant }: { instant: number }) {
  const own = useHydrated() && ownTimeOf(instant);
  return own && ` Your time: ${own}.`;
}

/** Null where the visitor's clock shows the same time as India's. `instant`: milliseconds UTC. */
export function ownTimeOf(instant: number): string | null {
  const own = wallClock(instant);
  const india = wallClock(instant, INDIA);
  if (own === india) return null;
  const time = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" }).format(
    instant,
  );
  const ownDate = own.slice(0, 10);
  const date = india.slice(0, 10);
  if (ownDate === date) return time;
  return `${time}, ${ownDate > date ? "next day" : "day before"}`;
}

/** The zone's name as people know it, for example `Dubai` for `Asia/Dubai`. */
export function ownZoneName(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

/** `2026-11-21 10:00` in a zone. */
function wallClock(instant: number, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat("sv-SE", {
    ...(timeZone ? { timeZone } : {}),
    dateStyle: "short",
    timeStyle: "short",
  });
  return parts.format(instant);
}
