/** Reads only the start and end of busy times from the text of a calendar (RFC 5545). */
import ICAL from "ical.js";
import { addDays, dateInIndia, INDIA, instantOf as midnightOf } from "#app/model/dates.ts";
import type { Span } from "#app/model/day-plan.ts";
import { DAY, SECOND } from "#app/model/duration.ts";
import { CalendarError } from "./calendar-rules.ts";

/** An IANA time zone, for calendars that do not describe theirs. Throws RangeError if unknown. */
class IntlZone extends ICAL.Timezone {
  readonly #format: Intl.DateTimeFormat;

  constructor(name: string) {
    super({ tzid: name });
    this.#format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  }

  /**
   * In seconds. A wall-clock time that occurs twice means the first occurrence; a skipped one uses
   * the offset before the change (RFC 5545, 3.3.5).
   */
  override utcOffset(time: ICAL.Time): number {
    const { year, month, day, hour, minute, second } = time;
    const wall = Date.UTC(year, month - 1, day, hour, minute, second);
    const before = this.#offsetAt(wall - DAY);
    const after = this.#offsetAt(wall + DAY);
    const isAfter =
      before !== after &&
      this.#offsetAt(wall - before) !== before &&
      this.#offsetAt(wall - after) === after;
    return (isAfter ? after : before) / SECOND;
  }

  /** Offset in milliseconds. */
  #offsetAt(instant: number): number {
    const [, sign, hours, minutes, seconds = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(this.#format.format(instant)) ?? [];
    if (!sign) return 0;
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return (sign === "-" ? -size : size) * SECOND;
  }
}

export interface BusyQuery {
  /** Domains that end the UIDs of our own events, which are never busy. */
  ownDomains: readonly string[];
  /** Milliseconds UTC. Times that overlap this range are returned, cut to it. */
  from: number;
  to: number;
}

const MOST_TIMES = 10_000;
/** Each time is stored as one part per day that it touches, all written in one transaction. */
const MOST_DAYS = 12_000;
/** Most repetitions expanded, also before `from`: enough for fifty daily events over ten years. */
const MOST_STEPS = 200_000;

/** The zone of times that name none. */
const india = new IntlZone(INDIA);

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

/** Each event with its exceptions, which share its UID. */
function seriesOf(calendar: ICAL.Component): ICAL.Component[][] {
  const all = calendar.getAllSubcomponents("vevent");
  const events = all.filter((event) => event.hasProperty("dtstart"));
  for (const event of events) nameZones(calendar, event);
  return [...Map.groupBy(events, (event, index) => uidOf(event) || index).values()];
}

/** Gives every time of the event a zone: the file's, else the IANA name's, else India's. */
function nameZones(calendar: ICAL.Component, event: ICAL.Component): void {
  for (const property of event.getAllProperties()) {
    const name = property.getFirstParameter("tzid");
    if (name && !calendar.getTimeZoneByID(name)) registerZone(name);
    for (const value of property.getValues()) {
      const time = value instanceof ICAL.Recur ? value.until : value;
      if (time instanceof ICAL.Time && time.zone === ICAL.Timezone.localTimezone) time.zone = india;
    }
  }
}

function registerZone(name: string): void {
  if (ICAL.TimezoneService.has(name)) return;
  try {
    ICAL.TimezoneService.register(new IntlZone(name), name);
  } catch {
    throw new CalendarError("zone");
  }
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
    for (const at of startsOf(event, to, steps)) {
      if (replaced.has(at)) continue;
      // "This and future": the newest such exception also moves the later repetitions.
      const change = changes.find(({ from }) => from <= at);
      if (!isBusy(change?.event ?? event)) continue;
      const { startsAt, endsAt } = change?.by ?? own;
      const movedTo = change ? at + startsAt - change.from : at;
      yield { startsAt: movedTo, endsAt: movedTo + endsAt - startsAt };
    }
  }
}

/** Start times before `to`, ascending, milliseconds UTC. */
function* startsOf(event: ICAL.Component, to: number, steps: { left: number }): Generator<number> {
  const dtstart = timeOf(event, "dtstart")!;
  const [rules, dates] = [event.getAllProperties("rrule"), event.getAllProperties("rdate")];
  if (rules.length + dates.length === 0) return yield instantOf(dtstart);
  for (const rule of rules) includeLastDay(rule.getFirstValue(), dtstart);
  // Without rules the library would leave out the first date.
  if (rules.length === 0) event.addPropertyWithValue("rdate", dtstart);
  // The library would skip exclusions that come after one that matches nothing.
  const excluded = exclusionsOf(event, dtstart);
  event.removeAllProperties("exdate");
  const expansion = new ICAL.RecurExpansion({ component: event, dtstart });
  for (let next = expansion.next(); next; next = expansion.next()) {
    // An additional date may be a period.
    const time = next instanceof ICAL.Period ? next.start : next;
    const at = instantOf(time);
    if (at >= to) return;
    if (--steps.left < 0) throw new CalendarError("too_much");
    if (!excluded.has(at) && !excluded.has(dateOf(time))) yield at;
  }
}

/** Excluded instants; where an exclusion names a whole day, its date. */
function exclusionsOf(event: ICAL.Component, dtstart: ICAL.Time): Set<number | string> {
  const values = event.getAllProperties("exdate").flatMap((property) => property.getValues());
  return new Set(
    (values as ICAL.Time[]).map((time) =>
      time.isDate && !dtstart.isDate ? dateOf(time) : instantOf(time),
    ),
  );
}

/** `yyyy-MM-dd` in the time's own zone. */
function dateOf(time: ICAL.Time): string {
  return time.toString().slice(0, 10);
}

/** A rule that ends on a date includes that whole day. */
function includeLastDay(rule: unknown, { isDate, zone }: ICAL.Time): void {
  if (!(rule instanceof ICAL.Recur) || !rule.until?.isDate || isDate) return;
  const { year, month, day } = rule.until;
  rule.until = new ICAL.Time({ year, month, day, hour: 23, minute: 59, second: 59 }, zone);
}

/** The days of a duration are the calendar's; its hours and less are exact (RFC 5545, 3.3.6). */
function spanOf(event: ICAL.Component): Span {
  // With an empty list, the library does not look for exceptions among all events.
  const { startDate, endDate } = new ICAL.Event(event, { exceptions: [] });
  const duration = event.getFirstPropertyValue("duration");
  const startsAt = instantOf(startDate);
  const isExact = duration instanceof ICAL.Duration && !duration.isNegative;
  if (!isExact || event.hasProperty("dtend")) {
    return { startsAt, endsAt: instantOf(endDate) };
  }
  const afterDays = startDate.clone();
  afterDays.adjust(7 * duration.weeks + duration.days, 0, 0, 0);
  const { hours, minutes, seconds } = duration;
  return {
    startsAt,
    endsAt: instantOf(afterDays) + ((hours * 60 + minutes) * 60 + seconds) * SECOND,
  };
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

function timeOf(event: ICAL.Component, name: string): ICAL.Time | null {
  const value = event.getFirstPropertyValue(name);
  return value instanceof ICAL.Time ? value : null;
}

/** Milliseconds UTC. */
function instantOf(time: ICAL.Time): number {
  return time.toUnixTime() * 1000;
}
