/** The visitor's own local time, if it differs from India's. */
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { changeableUntil, changeTerms, type Terms } from "#app/model/appointment.ts";
import { INDIA } from "#app/model/dates.ts";

/** Until when a session can be changed, also in the visitor's time. `words` is the server's text. */
export function ChangeTerms({ words, ...terms }: Terms & { words?: string }) {
  const until = changeableUntil(terms.startsAt, terms.cutoffHours);
  return (
    <>
      <span>{words ?? changeTerms(terms)}</span>
      {terms.now < until && <OwnTime instant={until} />}
    </>
  );
}

interface OwnTimeProps {
  instant: number;
  label?: string;
  /** False: the server's HTML keeps no line for it, and it is not added to that HTML later. */
  keepsLine?: boolean;
}

/**
 * On a line of its own after a sentence with an Indian time. The server does not know the visitor's
 * zone, so its HTML keeps the line for everybody and nothing moves later.
 */
export function OwnTime({ instant, label = "Your time:", keepsLine = true }: OwnTimeProps) {
  const hydrated = useHydrated();
  const [fromServer] = useState(!hydrated);
  const own = hydrated && ownTimeOf(instant);
  if (fromServer ? !keepsLine : !own) return null;
  return (
    <>
      {" "}
      <span className="own-time" data-longest={fromServer ? `${label} ${LONGEST}.` : undefined}>
        <span>{own && `${label} ${own}.`}</span>
      </span>
    </>
  );
}

const LONGEST = "12:30 PM, day before";

/** Null if the visitor's clock shows the same time as India's. */
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

/** The city of the visitor's zone, for example `Dubai` for `Asia/Dubai`. */
export function ownZoneName(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

/** `2026-11-21 10:00` in a zone, by default the visitor's. */
function wallClock(instant: number, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return parts.format(instant);
}
