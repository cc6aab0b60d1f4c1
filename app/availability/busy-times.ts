/** Reads only the start and end of busy times from the text of a calendar (RFC 5545). */
import ICAL from "ical.js";
import { addDays, DAY, dateInIndia, instantOf as midnightOf, SECOND } from "#app/model/dates.ts";
import type { Span } from "#app/model/day-plan.ts";
import { CalendarError } from "./calendar-rules.ts";
import { dropZones, nameZones } from "./calendar-zones.ts";

export interface BusyQuery {
  /** Domains that end the UIDs of our own events, which are never busy. */
  ownDomains: readonly string[];
  /** Times that overlap this range are returned, cut to it. */
  from: number;
  to: number;
}

const MOST_TIMES = 10_000;
/** Each time is stored as one part per day that it touches, all written in one transaction. */
const MOST_DAYS = 12_000;
/** Most repetitions expanded, also before `from`: enough for fifty daily events over ten years. */
const MOST_STEPS = 200_000;

/** The part of a busy time that lies in one day in India. */
export interface BusyPart extends Span {
  /** True for the part with which the busy time ends. */
  isLast: boolean;
}

export function dayParts(times: readonly Span[]): BusyPart[] {
  return times.flatMap(({ startsAt, endsAt }) => {
    const parts: BusyPart[] = [];
    for (let start = startsAt; start < endsAt; start = parts.at(-1)!.endsAt) {
      const midnight = midnightOf(addDays(dateInIndia(start), 1));
      const end = Math.min(endsAt, midnight);
      parts.push({ startsAt: start, endsAt: end, isLast: end === endsAt });
    }
    return parts;
  });
}

/** Ascending, without duplicates. Throws CalendarError. No time limit: a hostile text can take forever. */
export function busyTimes(text: string, query: BusyQuery): Span[] {
  try {
    return readTimes(calendarsIn(text), query);
  } catch (error) {
    throw error instanceof CalendarError ? error : new CalendarError("not_calendar");
  }
}

function calendarsIn(text: string): ICAL.Component[] {
  const read = ICAL.parse(text.replace(/^\uFEFF/, ""));
  const calendars = (typeof read[0] === "string" ? [read] : read) as ConstructorParameters<
    typeof ICAL.Component
  >[0][];
  const components = calendars.map((calendar) => new ICAL.Component(calendar));
  const areCalendars = components.every(({ name }) => name === "vcalendar");
  if (components.length === 0 || !areCalendars) throw new CalendarError("not_calendar");
  return components;
}

function readTimes(calendars: ICAL.Component[], query: BusyQuery): Span[] {
  const found = new Map<string, Span>();
  const steps = { left: MOST_STEPS };
  let days = 0;
  for (const events of calendars.flatMap(seriesOf)) {
    if (isOwn(events[0]!, query.ownDomains)) continue;
    for (const { startsAt, endsAt } of timesOf(events, query, steps)) {
      if (endsAt < startsAt && startsAt >= query.from) throw new CalendarError("not_calendar");
      const span = {
        startsAt: Math.max(startsAt, query.from),
        endsAt: Math.min(endsAt, query.to),
      };
      const key = `${span.startsAt} ${span.endsAt}`;
      if (span.startsAt >= span.endsAt || found.has(key)) continue;
      found.set(key, span);
      days += 1 + Math.floor((span.endsAt - span.startsAt) / DAY);
      if (found.size > MOST_TIMES || days > MOST_DAYS) throw new CalendarError("too_many");
    }
  }
  return [...found.values()].sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
}

/** Each event with its exceptions, which share its UID. Busy times of another kind are refused. */
function seriesOf(calendar: ICAL.Component): ICAL.Component[][] {
  const all = calendar.getAllSubcomponents("vevent");
  const isOther = all.length === 0 && calendar.getFirstSubcomponent("vfreebusy") !== null;
  if (isOther) throw new CalendarError("not_calendar");
  dropZones(calendar);
  const events = all.filter((event) => event.hasProperty("dtstart"));
  for (const event of events) nameZones(calendar, event);
  return [...Map.groupBy(events, (event, index) => uidOf(event) || index).values()];
}

function* timesOf(
  events: ICAL.Component[],
  { to }: BusyQuery,
  steps: { left: number },
): Generator<Span> {
  const exceptions = events.filter((event) => event.hasProperty("recurrence-id"));
  const replaced = new Set(exceptions.map(recurrenceOf));
  const changes = exceptions
    .filter((event) => event.getFirstProperty("recurrence-id")?.getFirstParameter("range"))
    .map((event) => ({ event, from: recurrenceOf(event), by: spanOf(event) }))
    .sort((a, b) => b.from - a.from);
  for (const event of exceptions) if (isBusy(event)) yield spanOf(event);
  for (const event of events) {
    if (exceptions.includes(event)) continue;
    const own = spanOf(event);
    for (const { at, length } of startsOf(event, to, steps)) {
      if (replaced.has(at)) continue;
      // "This and future": the newest such exception also moves the later repetitions.
      const change = changes.find(({ from }) => from <= at);
      if (!isBusy(change?.event ?? event)) continue;
      const { startsAt, endsAt } = change?.by ?? own;
      const movedTo = change ? at + startsAt - change.from : at;
      yield { startsAt: movedTo, endsAt: movedTo + (length ?? endsAt - startsAt) };
    }
  }
}

interface Start {
  at: number;
  /** Milliseconds, if it differs from the event's. */
  length?: number | undefined;
}

/** The event's own start and all its repetitions before `to`; some may come twice. */
function* startsOf(event: ICAL.Component, to: number, steps: { left: number }): Generator<Start> {
  const dtstart = timeOf(event, "dtstart")!;
  if (!event.hasProperty("rrule") && !event.hasProperty("rdate")) {
    return yield { at: instantOf(dtstart) };
  }
  const excluded = exclusionsOf(event, dtstart);
  for (const { time, length } of repetitionsOf(event, dtstart, to, steps)) {
    const at = instantOf(time);
    if (!excluded.has(at) && !excluded.has(dateOf(time))) yield { at, length };
  }
}

/** Without exclusions. Each rule by itself: the library mixes them, and then may end all with one. */
function* repetitionsOf(
  event: ICAL.Component,
  dtstart: ICAL.Time,
  to: number,
  steps: { left: number },
): Generator<{ time: ICAL.Time; length?: number }> {
  yield { time: dtstart };
  for (const date of valuesOf(event, "rdate")) {
    if (date instanceof ICAL.Time) yield { time: date };
    else if (date instanceof ICAL.Period) yield { time: date.start, length: lengthOf(date) };
  }
  for (const rule of valuesOf(event, "rrule")) {
    if (!(rule instanceof ICAL.Recur)) continue;
    setEnd(rule, dtstart);
    const iterator = rule.iterator(dtstart);
    for (let time = iterator.next(); time && instantOf(time) < to; time = iterator.next()) {
      if (--steps.left < 0) throw new CalendarError("too_much");
      yield { time };
    }
  }
}

/** Excluded instants; where an exclusion names a whole day, its date. */
function exclusionsOf(event: ICAL.Component, dtstart: ICAL.Time): Set<number | string> {
  return new Set(
    (valuesOf(event, "exdate") as ICAL.Time[]).map((time) =>
      time.isDate && !dtstart.isDate ? dateOf(time) : instantOf(time),
    ),
  );
}

/** `yyyy-MM-dd` in the time's own zone. */
function dateOf(time: ICAL.Time): string {
  return time.toString().slice(0, 10);
}

/** A rule's end is in its event's zone if it names none; one that is a date includes that whole day. */
function setEnd(rule: ICAL.Recur, { isDate, zone }: ICAL.Time): void {
  const { until } = rule;
  if (until?.isDate && !isDate) {
    const { year, month, day } = until;
    rule.until = new ICAL.Time({ year, month, day, hour: 23, minute: 59, second: 59 }, zone);
  } else if (until?.zone === ICAL.Timezone.localTimezone) until.zone = zone;
}

/** A whole day that ends as it begins is one day. */
function spanOf(event: ICAL.Component): Span {
  // With an empty list, the library does not look for exceptions among all events.
  const { startDate, endDate } = new ICAL.Event(event, { exceptions: [] });
  const duration = event.getFirstPropertyValue("duration");
  const startsAt = instantOf(startDate);
  const isExact = duration instanceof ICAL.Duration && !event.hasProperty("dtend");
  const endsAt = isExact ? instantAfter(startDate, duration) : instantOf(endDate);
  return { startsAt, endsAt: startDate.isDate && endsAt === startsAt ? startsAt + DAY : endsAt };
}

/** The days of a duration are the calendar's; its hours and less are exact (RFC 5545, 3.3.6). */
function instantAfter(start: ICAL.Time, duration: ICAL.Duration): number {
  const sign = duration.isNegative ? -1 : 1;
  const { weeks, days, hours, minutes, seconds } = duration;
  const afterDays = start.clone();
  afterDays.adjust(sign * (7 * weeks + days), 0, 0, 0);
  return instantOf(afterDays) + sign * ((hours * 60 + minutes) * 60 + seconds) * SECOND;
}

function lengthOf({ start, end, duration }: ICAL.Period): number {
  return (end ? instantOf(end) : instantAfter(start, duration)) - instantOf(start);
}

function recurrenceOf(event: ICAL.Component): number {
  return instantOf(timeOf(event, "recurrence-id")!);
}

function isBusy(event: ICAL.Component): boolean {
  return textOf(event, "transp") !== "TRANSPARENT" && textOf(event, "status") !== "CANCELLED";
}

function isOwn(event: ICAL.Component, domains: readonly string[]): boolean {
  const uid = uidOf(event).toLowerCase();
  return domains.some((domain) => uid.endsWith(`@${domain.toLowerCase()}`));
}

function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue("uid") ?? "").trim();
}

function textOf(event: ICAL.Component, name: string): string {
  return String(event.getFirstPropertyValue(name) ?? "").toUpperCase();
}

function valuesOf(event: ICAL.Component, name: string): unknown[] {
  return event.getAllProperties(name).flatMap((property) => property.getValues());
}

function timeOf(event: ICAL.Component, name: string): ICAL.Time | null {
  const value = event.getFirstPropertyValue(name);
  return value instanceof ICAL.Time ? value : null;
}

function instantOf(time: ICAL.Time): number {
  return time.toUnixTime() * 1000;
}
