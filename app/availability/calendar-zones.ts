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

/** Removes zones described without an offset, which the library would take for UTC. */
export function dropEmptyZones(calendar: ICAL.Component): void {
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    const hasOffset =
      zone.getFirstSubcomponent("standard") ?? zone.getFirstSubcomponent("daylight");
    if (!hasOffset) calendar.removeSubcomponent(zone);
  }
}

/**
 * Gives every time of the event a zone: the file's, else the IANA name's, else India's. The end of a
 * rule has its event's, and is left out.
 */
export function nameZones(calendar: ICAL.Component, event: ICAL.Component): void {
  for (const property of event.getAllProperties()) {
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
  if (ICAL.TimezoneService.has(name)) return;
  try {
    ICAL.TimezoneService.register(new IntlZone(name), name);
  } catch {
    throw new CalendarError("zone");
  }
}
