/** The time zones of a calendar: those it describes, else the IANA names, else India. */
import ICAL from "ical.js";
import { DAY, INDIA, SECOND } from "#app/model/dates.ts";
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

/** The zone of times that name none. */
const india = new IntlZone(INDIA);

/**
 * Removes the descriptions of zones like `Asia/Kolkata`, whose name says more, and those that lack what
 * the library needs: it would take their times for UTC.
 */
export function dropZones(calendar: ICAL.Component): void {
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    const name = String(zone.getFirstPropertyValue("tzid"));
    if ((name.includes("/") && isKnown(name)) || !isWhole(zone)) calendar.removeSubcomponent(zone);
  }
}

/** RFC 5545, 3.6.5; of several instants in one RDATE the library reads the first alone. */
function isWhole(zone: ICAL.Component): boolean {
  const rules = ["standard", "daylight"].flatMap((kind) => zone.getAllSubcomponents(kind));
  const isComplete = (rule: ICAL.Component) =>
    ["dtstart", "tzoffsetfrom", "tzoffsetto"].every((name) => rule.hasProperty(name)) &&
    rule.getAllProperties("rdate").every((dates) => dates.getValues().length === 1);
  return rules.length > 0 && rules.every(isComplete);
}

/** What says when an event takes place. */
const TIMES = ["dtstart", "dtend", "recurrence-id", "rdate", "exdate"];

/**
 * Gives every time of the event a zone: the file's, else the IANA name's, else India's. The end of a
 * rule has its event's, and is left out.
 */
export function nameZones(calendar: ICAL.Component, event: ICAL.Component): void {
  for (const property of TIMES.flatMap((name) => event.getAllProperties(name))) {
    const name = property.getFirstParameter("tzid");
    if (name && !calendar.getTimeZoneByID(name)) registerZone(name);
    const values = property.getValues();
    for (const time of values.flatMap((one) =>
      one instanceof ICAL.Period ? [one.start, one.end] : [one],
    )) {
      if (time instanceof ICAL.Time && time.zone === ICAL.Timezone.localTimezone) time.zone = india;
    }
  }
}

function registerZone(name: string): void {
  if (!isKnown(name)) throw new CalendarError("zone");
}

/** True for a zone that the library or Intl knows by name. */
function isKnown(name: string): boolean {
  if (ICAL.TimezoneService.has(name)) return true;
  try {
    ICAL.TimezoneService.register(new IntlZone(name), name);
    return true;
  } catch {
    return false;
  }
}
