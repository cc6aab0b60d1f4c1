/** Why an imported calendar was not read, and what to do about it. */
import { wording } from "#app/model/unknown-code.ts";

const WORDS = {
  inside: "The address leads to a place that is not public. Please give another one.",
  unreachable: "The calendar's server cannot be reached. We try again every 15 minutes.",
  slow: "The calendar's server took longer than 10 seconds. We try again every 15 minutes.",
  redirects: "The address leads on too often. Please give the one it ends at.",
  refused:
    "The calendar's server asks for a sign-in. Please copy the calendar's private (secret) address.",
  gone: "There is no calendar at this address any more. Please copy its private address anew.",
  answer: "The calendar's server answered with an error. We try again every 15 minutes.",
  packed: "The calendar comes compressed, which is not read here. Please give another address.",
  too_large: "The calendar is larger than 2 MB. Please give one with fewer old entries.",
  not_calendar: "What is at this address is no calendar that can be read (iCalendar, .ics).",
  zone: "The calendar names a time zone that it does not describe. Please export it anew.",
  too_many: "The calendar has more than 10,000 times in a year. Please give one with fewer.",
  too_much: "The calendar takes too long to work out. Please give one with fewer repeated entries.",
  sealed: "The stored address cannot be opened any more. Please enter it again.",
} as const;

export type CalendarErrorCode = keyof typeof WORDS;

export const calendarErrorWords = wording(WORDS);

/** Of a read that failed; it names no address. */
export class CalendarError extends Error {
  override name = "CalendarError";
  readonly code: CalendarErrorCode;

  constructor(code: CalendarErrorCode) {
    super(code);
    this.code = code;
  }
}
