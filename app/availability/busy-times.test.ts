import { expect, it } from "vitest";
import { calendarFeed, calendarFile } from "#app/documents/calendar-file.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { type BusyQuery, busyTimes, dayParts } from "./busy-times.ts";

const FROM = Date.parse("2026-11-21T18:30:00Z");
const QUESTION: BusyQuery = {
  ownDomains: ["captains.example", "book.captains.example"],
  from: FROM,
  to: FROM + 367 * DAY,
};

function file(...lines: string[]): string {
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

function event(...lines: string[]): string {
  return ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\r\n");
}

/** A calendar of one event. */
const only = (...lines: string[]) => file(event("UID:1", ...lines));

/** As `from to` in UTC, by minutes; else why there are none. */
function times(text: string): string[] {
  try {
    return busyTimes(text, QUESTION).map(
      ({ startsAt, endsAt }) => `${utc(startsAt)} ${utc(endsAt)}`,
    );
  } catch (error) {
    return [(error as { code: string }).code];
  }
}

const utc = (instant: number) => new Date(instant).toISOString().replace(/(:00)?\.000Z$/, "");

/** As Outlook writes it, with a name that only Windows knows. */
const OUTLOOK_ZONE = [
  "BEGIN:VTIMEZONE",
  "TZID:GMT Standard Time",
  "BEGIN:STANDARD",
  "DTSTART:16010101T020000",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0000",
  "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "DTSTART:16010101T010000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0100",
  "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
].join("\r\n");

const duty = (uid: string, start: string, end: string) =>
  event(`UID:${uid}`, `DTSTART:${start}`, `DTEND:${end}`, "SUMMARY:6E 2134 DEL-BOM");
/** Of an hour from here on. */
const at = (start: string, ...more: string[]) => [`DTSTART${start}`, "DURATION:PT1H", ...more];
const one = (start: string, ...more: string[]) => only(...at(start, ...more));
const LONDON = ";TZID=Europe/London";
const series = (count: number) => at(":20261201T090000Z", `RRULE:FREQ=WEEKLY;COUNT=${count}`);
const stray = ["RECURRENCE-ID:20261208T090000Z", ...at(":20261210T090000Z")];
const exception = ["UID:1", "RECURRENCE-ID:20261208T090000Z", ...at(":20261208T090000Z")];
const whole = (end: string) => only("DTSTART;VALUE=DATE:20261201", `DTEND;VALUE=DATE:${end}`);
const overnight = (day: string, ...more: string[]) =>
  only(`DTSTART:${day}T223000Z`, `DTEND:${day}T013000Z`, ...more);
const rules = ["RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=MONTHLY;COUNT=3"];
const STANDARD = ["TZOFFSETFROM:+0530", "TZOFFSETTO:+0530"];
const described = (name: string, ...standard: string[]) =>
  file(
    `BEGIN:VTIMEZONE\r\nTZID:${name}\r\nX-LIC-LOCATION:${name}`,
    ...(standard.length > 0 ? ["BEGIN:STANDARD", ...standard, "END:STANDARD"] : []),
    "END:VTIMEZONE",
    event("UID:1", ...at(`;TZID=${name}:20261201T090000`)),
  );
const untilLocal = (zone: string) =>
  one(`;TZID=${zone}:20261201T090000`, "RRULE:FREQ=DAILY;UNTIL=20261203T090000");

const CALENDARS: Record<string, string> = {
  "an airline's roster, whose times are UTC": `\uFEFF${file(
    duty("d2", "20261201T203000Z", "20261202T043000Z"),
    duty("d1", "20261124T033000Z", "20261124T103000Z"),
    event("UID:report", "DTSTART:20261124T023000Z", "SUMMARY:Report"),
  )}`,
  "Google's weekly event in London through the change of its clocks": file(
    event(
      "UID:abc@google.com",
      `DTSTART${LONDON}:20270316T090000`,
      `DTEND${LONDON}:20270316T100000`,
      "RRULE:FREQ=WEEKLY;UNTIL=20270406T080000Z;BYDAY=TU",
      `EXDATE${LONDON}:20270322T090000`,
      `EXDATE${LONDON}:20270323T090000`,
    ),
    event(
      "UID:abc@google.com",
      `RECURRENCE-ID${LONDON}:20270330T090000`,
      `DTSTART${LONDON}:20270330T150000`,
      `DTEND${LONDON}:20270330T153000`,
    ),
  ),
  "the day before clocks change, and the day after": file(
    event("UID:1", ...at(`${LONDON}:20270327T090000`)),
    event("UID:2", ...at(`${LONDON}:20270328T090000`)),
  ),
  "a time that is skipped, and one that occurs twice": file(
    event("UID:1", ...at(`${LONDON}:20270328T013000`)),
    event("UID:2", `DTSTART${LONDON}:20271031T013000`, "DURATION:PT15M"),
    event("UID:3", `DTSTART${LONDON}:20271030T233000`, "DURATION:P1DT2H"),
  ),
  "Outlook's event by the zone that its file describes": file(
    OUTLOOK_ZONE,
    event(
      "UID:040000008200E00074C5B7101A82E008",
      "DTSTART;TZID=GMT Standard Time:20270329T090000",
      "DURATION:PT45M",
      "RRULE:FREQ=MONTHLY;COUNT=2",
    ),
  ),
  "an exception by its UID": file(event("UID:1", ...series(2)), event("UID:1", ...stray)),
  "events without a UID, none another's exception": file(event(...series(2)), event(...stray)),
  "events of an empty UID": file(event("UID:", ...series(2)), event("UID:", ...stray)),
  // Its index in the file is not taken for another event's UID either.
  "one event without a UID": file(event("UID:1", ...series(2)), event(...stray)),
  "one of three cancelled": file(
    event("UID:1", ...series(3)),
    event(...exception, "STATUS:CANCELLED"),
  ),
  "one of three shown as free": file(
    event("UID:1", ...series(3)),
    event(...exception, "TRANSP:TRANSPARENT"),
  ),
  "times without a zone, and whole days, as India's": file(
    event("UID:1", "DTSTART:20261201T090000", "DTEND:20261201T100000"),
    event("UID:2", "DTSTART;VALUE=DATE:20261203", "SUMMARY:Off"),
    event("UID:3", "DTSTART;VALUE=DATE:20261205", "DTEND;VALUE=DATE:20261208"),
  ),
  "a rule, an exclusion of a whole day and an exception from elsewhere": file(
    event(
      "UID:1",
      ...at(":20261201T090000", "RRULE:FREQ=DAILY;UNTIL=20261204", "EXDATE;VALUE=DATE:20261202"),
    ),
    event(
      "UID:1",
      "RECURRENCE-ID:20261203T033000Z",
      "DTSTART:20261203T033000Z",
      "STATUS:CANCELLED",
    ),
  ),
  "a date of its own beside an excluded first": only(
    ...at(":20261206T090000", "RRULE:FREQ=DAILY;COUNT=1", "RDATE:20261206T120000"),
    "EXDATE:20261206T090000",
  ),
  "dates without a rule": one(":20261210T090000", "RDATE:20261212T090000"),
  "a rule and a date": one(":20261214T090000", "RRULE:FREQ=DAILY;COUNT=2", "RDATE:20261218T090000"),
  // The last day is whole, and the next one's midnight is not part of it.
  "nights until a day": one(":20270101T000000", "RRULE:FREQ=DAILY;UNTIL=20270102"),
  "an invitation to one event of a series": only(
    "RECURRENCE-ID:20250101T090000Z",
    ...at(":20261220T090000Z"),
  ),
  "periods with their own length": one(
    ":20261201T090000Z",
    "RDATE;VALUE=PERIOD:20261202T090000Z/PT4H,20261203T090000Z/20261203T150000Z",
  ),
  "periods that the first lies within, and that lie within the second": one(
    ":20261201T090000",
    "RRULE:FREQ=DAILY;COUNT=2",
    "RDATE;VALUE=PERIOD:20261201T080000/PT3H,20261202T091500/20261202T093000",
  ),
  // Its days are the calendar's, its hours exact.
  "a period over the change of clocks": one(
    `${LONDON}:20270327T090000`,
    `RDATE;VALUE=PERIOD${LONDON}:20270327T100000/P1DT1H`,
  ),
  "until a local time in New York": untilLocal("America/New_York"),
  "until a local time in London": untilLocal("Europe/London"),
  "a zone described without its offset": described("Asia/Kolkata"),
  "an unknown zone described without its offset": described("Moon"),
  "a zone described without its start": described("Asia/Kolkata", ...STANDARD),
  "a zone described from later on": described(
    "Asia/Kolkata",
    ...STANDARD,
    "DTSTART:20270101T000000",
  ),
  "an unknown zone described without its start": described("Moon", ...STANDARD),
  "an unknown zone described whole": described("Moon", ...STANDARD, "DTSTART:19700101T000000"),
  "an unknown zone of several dates": described(
    "Moon",
    ...STANDARD,
    "DTSTART:19700101T000000",
    "RDATE:19700101T000000,19800101T000000",
  ),
  "beside times that say nothing of when it is": only(
    ...at(":20261201T090000Z", "LAST-MODIFIED:20261101", "CREATED:", "X-FOO;TZID=Moon:1"),
  ),
  "whole days that end as they begin": whole("20261201"),
  "whole days that end before they begin": whole("20261130"),
  "a time that ends before it begins": overnight("20261201"),
  // What is over or free matters to nobody.
  "a past time that ends before it begins": overnight("20261101"),
  "a free time that ends before it begins": overnight("20261201", "TRANSP:TRANSPARENT"),
  "a negative length": only("DTSTART:20261201T090000Z", "DURATION:-PT1H"),
  "two rules": one(":20261201T090000Z", ...rules),
  "two rules the other way round": one(":20261201T090000Z", ...rules.toReversed()),
  // The first is a Tuesday.
  "a rule that its own start breaks": one(
    ":20261201T090000Z",
    "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2",
  ),
  "two rules with exclusions": one(
    ":20261201T090000Z",
    ...rules,
    "EXDATE:20261201T090000Z,20270101T090000Z",
  ),
  "this and all that follow moved": file(
    event("UID:1", ...at(":20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3")),
    event(
      "UID:1",
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20261202T090000Z",
      "DTSTART:20261202T110000Z",
      "DURATION:PT2H",
    ),
  ),
  "what is free, cancelled, over, or more than a year ahead beside one that is busy": file(
    event("UID:1", ...at(":20261201T090000Z", "TRANSP:TRANSPARENT")),
    event("UID:2", ...at(":20261202T090000Z", "STATUS:CANCELLED")),
    event("UID:3", ...at(":20261101T090000Z")),
    event("UID:4", ...at(":20271201T090000Z")),
    event("UID:5", ...at(":20261203T090000Z", "TRANSP:OPAQUE", "STATUS:TENTATIVE")),
  ),
  "under way, cut to the days that are asked for": only(
    "DTSTART:20200101T000000Z",
    "DTEND:20990101T000000Z",
  ),
  "no calendar": "",
  "a page": "<!doctype html>",
  "cut off": one(":20261201T090000Z").slice(0, 90),
  "a broken time": one(":2026-12-01 09:00"),
  "busy times of another kind": file(
    "BEGIN:VFREEBUSY",
    "UID:1",
    "FREEBUSY;FBTYPE=BUSY:20261201T090000Z/PT2H",
    "END:VFREEBUSY",
  ),
  "an empty calendar": file(),
  "a card": "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:x\r\nEND:VCARD\r\n",
  "a zone that nobody knows": one(";TZID=Moon:20261201T090000"),
};

it("reads these times from these calendars, or says why there are none", async () => {
  const lines = Object.entries(CALENDARS).flatMap(([name, text]) => [
    `${name}:`,
    ...times(text).map((time) => `  ${time}`),
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-busy-times.txt");
});

it("finds nothing in our own invitations and feed, moved and cancelled ones too", () => {
  const person = { name: "Capt. Asha Sample", email: "asha@captains.example" };
  const session = {
    uid: "k3m9",
    domain: "captains.example",
    status: "CONFIRMED" as const,
    sequence: 0,
    startsAt: FROM + 30 * HOUR,
    endsAt: FROM + 31 * HOUR,
    stamp: FROM,
    summary: "Session",
    description: "",
    location: "",
    organizer: person,
  };
  const moved = { ...session, sequence: 2, startsAt: FROM + 50 * HOUR, endsAt: FROM + 51 * HOUR };
  const cancelled = { ...session, sequence: 3, status: "CANCELLED" as const };
  const invite = { brand: "Sky", attendees: [person], method: "REQUEST" as const };
  expect(times(calendarFile({ ...session, ...invite }))).toEqual([]);
  expect(times(calendarFile({ ...moved, ...invite }))).toEqual([]);
  expect(times(calendarFile({ ...cancelled, ...invite, method: "CANCEL" }))).toEqual([]);
  expect(times(calendarFeed({ brand: "Sky", name: "Feed", events: [session, moved] }))).toEqual([]);
  const foreign = { ...session, domain: "elsewhere.example" };
  expect(times(calendarFile({ ...foreign, ...invite }))).toHaveLength(1);
});

it("refuses more than 10,000 times, and rules that take too long", () => {
  const often = (rule: string) =>
    times(only("DTSTART:20261201T090000", "DURATION:PT1M", `RRULE:FREQ=${rule}`));
  expect(often("MINUTELY;COUNT=10000")).toHaveLength(10_000);
  expect(often("MINUTELY;COUNT=10001")).toEqual(["too_many"]);
  expect(often("SECONDLY")).toEqual(["too_many"]);
  const old = only("DTSTART:20261118T000000Z", "RRULE:FREQ=SECONDLY");
  expect(times(old)).toEqual(["too_much"]);
  const long = Array.from({ length: 40 }, (_, n) =>
    event(`UID:${n}`, `DTSTART:2026112${n % 10}T09${10 + n}00Z`, "DURATION:P366D"),
  );
  expect(times(file(...long))).toEqual(["too_many"]);
});

it("cuts each time at India's midnights, and marks its end", () => {
  const [startsAt, endsAt] = [FROM + 20 * HOUR, FROM + 2 * DAY];
  expect(dayParts([{ startsAt, endsAt }])).toEqual([
    { startsAt, endsAt: FROM + DAY, isLast: false },
    { startsAt: FROM + DAY, endsAt, isLast: true },
  ]);
});
