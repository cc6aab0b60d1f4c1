/** The visitor's own wall-clock time of a session, where it differs from India's. */
import { INDIA, instantOf } from "#app/model/dates.ts";

/** Null where the visitor's clock shows the same time as India's. */
export function ownTimeOf(date: string, timeSlot: string): string | null {
  const instant = instantOf(date, timeSlot);
  const own = wallClock(instant);
  if (own.slice(0, 16) === wallClock(instant, INDIA).slice(0, 16)) return null;
  const time = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" }).format(
    instant,
  );
  const ownDate = own.slice(0, 10);
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
