/**
 * Calendar invites (RFC 5545, 5546) and captains' feeds. Times are in UTC: exact for India, which
 * has no daylight saving, so no VTIMEZONE is needed. The MIME part of an invite must name the same
 * method.
 */
import ical, {
  escape as escapeText,
  ICalAlarmType,
  ICalAttendeeRole,
  ICalAttendeeStatus,
  type ICalCalendarData,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from "ical-generator";

export interface CalendarPerson {
  name: string;
  email: string;
}

export interface CalendarEvent {
  /** The appointment's random calendar id; `@domain` is appended. */
  uid: string;
  domain: string;
  status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  /** 0 at first, higher with every change, also with CANCEL. */
  sequence: number;
  startsAt: number;
  endsAt: number;
  summary: string;
  description: string;
  /** How the session takes place. */
  location: string;
  organizer: CalendarPerson;
  /** When this version was made. */
  stamp: number;
}

export interface CalendarFileInput extends CalendarEvent {
  brand: string;
  method: "REQUEST" | "CANCEL" | "PUBLISH";
  attendees: readonly CalendarPerson[];
}

const FEED_REFRESH_SECONDS = 15 * 60;
const REMIND_SECONDS = 60 * 60;

export function calendarFile(input: CalendarFileInput): string {
  const description = plain(input.summary);
  const alarm = { type: ICalAlarmType.display, triggerBefore: REMIND_SECONDS, description };
  const event: ICalEventData = {
    ...eventData(input),
    // PUBLISH has no attendees, a cancelled session no alarm.
    attendees: input.method === "PUBLISH" ? [] : input.attendees.map(attendee),
    alarms: input.status === "CANCELLED" ? [] : [alarm],
  };
  return textOf(input.brand, { method: ICalCalendarMethod[input.method], events: [event] });
}

/** What a captain subscribes to: paid sessions only, without alarms or attendees. */
export function calendarFeed(feed: {
  brand: string;
  name: string;
  events: readonly CalendarEvent[];
}): string {
  return textOf(feed.brand, {
    method: ICalCalendarMethod.PUBLISH,
    name: escapeText(plain(feed.name), false),
    ttl: FEED_REFRESH_SECONDS,
    events: feed.events.map(eventData),
  });
}

// The library escapes neither the feed's name nor the brand.
function textOf(brand: string, calendar: ICalCalendarData): string {
  const prodId = { company: escapeText(plain(brand), false), product: "Sessions", language: "EN" };
  return `${ical({ prodId, ...calendar })}\r\n`;
}

function eventData(event: CalendarEvent): ICalEventData {
  const isCancelled = event.status === "CANCELLED";
  return {
    id: `${event.uid}@${event.domain}`,
    sequence: event.sequence,
    status: ICalEventStatus[event.status],
    stamp: new Date(event.stamp),
    lastModified: new Date(event.stamp),
    start: new Date(event.startsAt),
    end: new Date(event.endsAt),
    summary: plain(isCancelled ? `Cancelled: ${event.summary}` : event.summary),
    description: plain(event.description),
    location: plain(event.location),
    // A cancelled session leaves its time free.
    transparency: ICalEventTransparency[isCancelled ? "TRANSPARENT" : "OPAQUE"],
    organizer: person(event.organizer),
  };
}

/** RSVP is off: nobody reads the replies that a calendar would mail to the organizer. */
function attendee(input: CalendarPerson) {
  return {
    ...person(input),
    role: ICalAttendeeRole.REQ,
    status: ICalAttendeeStatus.NEEDSACTION,
    rsvp: false,
  };
}

/** A name becomes a quoted parameter, in which nothing can be escaped. */
function person({ name, email }: CalendarPerson): CalendarPerson {
  return {
    name: plain(name).replace(/\s+/g, " ").replaceAll('"', "'").trim(),
    email: plain(email).replace(/\s/g, ""),
  };
}

/** Line ends as \n, and no control characters, which the format forbids. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, " ");
}
