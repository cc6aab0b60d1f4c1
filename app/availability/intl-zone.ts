/** A time zone by its IANA name, for calendars that do not describe theirs. */
import ICAL from "ical.js";
import { DAY, SECOND } from "#app/model/duration.ts";

/** Throws RangeError for a name that is none. */
export class IntlZone extends ICAL.Timezone {
  readonly #format: Intl.DateTimeFormat;

  constructor(name: string) {
    super({ tzid: name });
    this.#format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  }

  /**
   * Seconds at a wall-clock time. Of a time that comes twice it is the first, and one that is left
   * out counts by the offset before it (RFC 5545, 3.3.5).
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

  /** Milliseconds at an instant. */
  #offsetAt(instant: number): number {
    const [, sign, hours, minutes, seconds = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(this.#format.format(instant)) ?? [];
    if (!sign) return 0;
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return (sign === "-" ? -size : size) * SECOND;
  }
}
