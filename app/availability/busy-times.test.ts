import { expect, it } from "vitest";
import { calendarFeed, calendarFile } from "#app/documents/calendar-file.ts";
import { DAY, HOUR } from "#app/model/duration.ts";
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

/** As `from to` in UTC, by minutes. */
function times(text: string, question = QUESTION): string[] {
  return busyTimes(text, question).map(({ startsAt, endsAt }) => `${utc(startsAt)} ${utc(endsAt)}`);
}

const utc = (instant: number) => new Date(instant).toISOString().replace(/(:00)?\.000Z$/, "");

function codeOf(text: string): string {
  try {
    return `${busyTimes(text, QUESTION).length} times`;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

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

it("reads an airline's roster, whose times are UTC", () => {
  const duty = (uid: string, start: string, end: string) =>
    event(`UID:${uid}`, `DTSTART:${start}`, `DTEND:${end}`, "SUMMARY:6E 2134 DEL-BOM");
  const text = file(
    duty("d2", "20261201T203000Z", "20261202T043000Z"),
    duty("d1", "20261124T033000Z", "20261124T103000Z"),
    event("UID:report", "DTSTART:20261124T023000Z", "SUMMARY:Report"),
  );
  expect(times(`\uFEFF${text}`)).toEqual([
    "2026-11-24T03:30 2026-11-24T10:30",
    "2026-12-01T20:30 2026-12-02T04:30",
  ]);
});

it("reads Google's weekly event in London through the change of its clocks", () => {
  const text = file(
    event(
      "UID:abc@google.com",
      "DTSTART;TZID=Europe/London:20270316T090000",
      "DTEND;TZID=Europe/London:20270316T100000",
      "RRULE:FREQ=WEEKLY;UNTIL=20270406T080000Z;BYDAY=TU",
      "EXDATE;TZID=Europe/London:20270322T090000",
      "EXDATE;TZID=Europe/London:20270323T090000",
    ),
    event(
      "UID:abc@google.com",
      "RECURRENCE-ID;TZID=Europe/London:20270330T090000",
      "DTSTART;TZID=Europe/London:20270330T150000",
      "DTEND;TZID=Europe/London:20270330T153000",
    ),
  );
  expect(times(text)).toEqual([
    "2027-03-16T09:00 2027-03-16T10:00",
    "2027-03-30T14:00 2027-03-30T14:30",
    "2027-04-06T08:00 2027-04-06T09:00",
  ]);
});

it("the day before clocks change, and the day after, have their own offsets", () => {
  const text = file(
    event("UID:1", "DTSTART;TZID=Europe/London:20270327T090000", "DURATION:PT1H"),
    event("UID:2", "DTSTART;TZID=Europe/London:20270328T090000", "DURATION:PT1H"),
  );
  expect(times(text)).toEqual([
    "2027-03-27T09:00 2027-03-27T10:00",
    "2027-03-28T08:00 2027-03-28T09:00",
  ]);
});

it("a time that occurs twice is the first, one that is skipped has the offset before it", () => {
  const text = file(
    event("UID:1", "DTSTART;TZID=Europe/London:20270328T013000", "DURATION:PT1H"),
    event("UID:2", "DTSTART;TZID=Europe/London:20271031T013000", "DURATION:PT15M"),
    event("UID:3", "DTSTART;TZID=Europe/London:20271030T233000", "DURATION:P1DT2H"),
  );
  expect(times(text)).toEqual([
    "2027-03-28T01:30 2027-03-28T02:30",
    "2027-10-30T22:30 2027-11-01T01:30",
    "2027-10-31T00:30 2027-10-31T00:45",
  ]);
});

it("reads Outlook's event by the zone that its file describes", () => {
  const text = file(
    OUTLOOK_ZONE,
    event(
      "UID:040000008200E00074C5B7101A82E008",
      "DTSTART;TZID=GMT Standard Time:20270329T090000",
      "DURATION:PT45M",
      "RRULE:FREQ=MONTHLY;COUNT=2",
    ),
  );
  expect(times(text)).toEqual([
    "2027-03-29T08:00 2027-03-29T08:45",
    "2027-04-29T08:00 2027-04-29T08:45",
  ]);
});

it("takes each event without a UID for itself: none is another's exception", () => {
  const weekly = ["DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2"];
  const stray = ["RECURRENCE-ID:20261208T090000Z", "DTSTART:20261210T090000Z", "DURATION:PT1H"];
  const both = ["2026-12-01T09:00 2026-12-01T10:00", "2026-12-10T09:00 2026-12-10T10:00"];
  expect(times(file(event("UID:1", ...weekly), event("UID:1", ...stray)))).toEqual(both);
  const apart = both.toSpliced(1, 0, "2026-12-08T09:00 2026-12-08T10:00");
  for (const uid of [[], ["UID:"]]) {
    expect(times(file(event(...uid, ...weekly), event(...uid, ...stray)))).toEqual(apart);
  }
  // Its index in the file is not taken for another event's UID either.
  expect(times(file(event("UID:1", ...weekly), event(...stray)))).toEqual(apart);
});

it("leaves free what an exception cancels or shows as free", () => {
  const weekly = ["DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3"];
  const except = (...more: string[]) =>
    event(
      "UID:1",
      "RECURRENCE-ID:20261208T090000Z",
      "DTSTART:20261208T090000Z",
      "DURATION:PT1H",
      ...more,
    );
  const left = ["2026-12-01T09:00 2026-12-01T10:00", "2026-12-15T09:00 2026-12-15T10:00"];
  for (const free of ["STATUS:CANCELLED", "TRANSP:TRANSPARENT"]) {
    expect(times(file(event("UID:1", ...weekly), except(free)))).toEqual(left);
  }
});

it("takes times without a zone, and whole days, as India's", () => {
  const text = file(
    event("UID:1", "DTSTART:20261201T090000", "DTEND:20261201T100000"),
    event("UID:2", "DTSTART;VALUE=DATE:20261203", "SUMMARY:Off"),
    event("UID:3", "DTSTART;VALUE=DATE:20261205", "DTEND;VALUE=DATE:20261208"),
  );
  expect(times(text)).toEqual([
    "2026-12-01T03:30 2026-12-01T04:30",
    "2026-12-02T18:30 2026-12-03T18:30",
    "2026-12-04T18:30 2026-12-07T18:30",
  ]);
});

it("follows rules, dates of their own, exclusions of whole days and exceptions from elsewhere", () => {
  const text = file(
    event(
      "UID:rule",
      "DTSTART:20261201T090000",
      "DURATION:PT1H",
      "RRULE:FREQ=DAILY;UNTIL=20261204",
      "EXDATE;VALUE=DATE:20261202",
    ),
    event(
      "UID:rule",
      "RECURRENCE-ID:20261203T033000Z",
      "DTSTART:20261203T033000Z",
      "STATUS:CANCELLED",
    ),
    event(
      "UID:twice a day",
      "DTSTART:20261206T090000",
      "DURATION:PT1H",
      "RRULE:FREQ=DAILY;COUNT=1",
      "RDATE:20261206T120000",
      "EXDATE:20261206T090000",
    ),
    event("UID:dates", "DTSTART:20261210T090000", "DURATION:PT1H", "RDATE:20261212T090000"),
    event(
      "UID:rule and date",
      "DTSTART:20261214T090000",
      "DURATION:PT1H",
      "RRULE:FREQ=DAILY;COUNT=2",
      "RDATE:20261218T090000",
    ),
    // The last day is whole, and the next one's midnight is not part of it.
    event(
      "UID:nights",
      "DTSTART:20270101T000000",
      "DURATION:PT1H",
      "RRULE:FREQ=DAILY;UNTIL=20270102",
    ),
    // An invitation to one event of a series contains only that one.
    event("UID:x", "RECURRENCE-ID:20250101T090000Z", "DTSTART:20261220T090000Z", "DURATION:PT1H"),
  );
  expect(times(text)).toEqual([
    "2026-12-01T03:30 2026-12-01T04:30",
    "2026-12-04T03:30 2026-12-04T04:30",
    "2026-12-06T06:30 2026-12-06T07:30",
    "2026-12-10T03:30 2026-12-10T04:30",
    "2026-12-12T03:30 2026-12-12T04:30",
    "2026-12-14T03:30 2026-12-14T04:30",
    "2026-12-15T03:30 2026-12-15T04:30",
    "2026-12-18T03:30 2026-12-18T04:30",
    "2026-12-20T09:00 2026-12-20T10:00",
    "2026-12-31T18:30 2026-12-31T19:30",
    "2027-01-01T18:30 2027-01-01T19:30",
  ]);
});

it("takes periods among the additional dates with their own length, in the event's zone or India's", () => {
  const first = ["DTSTART:20261201T090000Z", "DURATION:PT1H"];
  const periods = "20261202T090000Z/PT4H,20261203T090000Z/20261203T150000Z";
  expect(times(file(event("UID:1", ...first, `RDATE;VALUE=PERIOD:${periods}`)))).toEqual([
    "2026-12-01T09:00 2026-12-01T10:00",
    "2026-12-02T09:00 2026-12-02T13:00",
    "2026-12-03T09:00 2026-12-03T15:00",
  ]);
  const floating = ["DTSTART:20261201T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"];
  // One that the first session lies within, and one that lies within the second.
  const around = "20261201T080000/PT3H,20261202T091500/20261202T093000";
  expect(times(file(event("UID:1", ...floating, `RDATE;VALUE=PERIOD:${around}`)))).toEqual([
    "2026-12-01T02:30 2026-12-01T05:30",
    "2026-12-01T03:30 2026-12-01T04:30",
    "2026-12-02T03:30 2026-12-02T04:30",
    "2026-12-02T03:45 2026-12-02T04:00",
  ]);
  const zone = ";TZID=Europe/London";
  const london = [`DTSTART${zone}:20270327T090000`, "DURATION:PT1H"];
  // Its days are the calendar's, its hours exact.
  const long = `RDATE;VALUE=PERIOD${zone}:20270327T100000/P1DT1H`;
  expect(times(file(event("UID:1", ...london, long)))).toEqual([
    "2027-03-27T09:00 2027-03-27T10:00",
    "2027-03-27T10:00 2027-03-28T10:00",
  ]);
});

it.each([
  ["America/New_York", "2026-12-01T14:00 2026-12-03T14:00"],
  ["Europe/London", "2026-12-01T09:00 2026-12-03T09:00"],
])("a rule that ends at a local time ends at that of its event, in %s", (zone, ends) => {
  const daily = [`DTSTART;TZID=${zone}:20261201T090000`, "RRULE:FREQ=DAILY;UNTIL=20261203T090000"];
  const found = times(file(event("UID:1", ...daily, "DURATION:PT1H")));
  expect(found).toHaveLength(3);
  expect([found[0], found[2]].map((time) => time!.split(" ")[0]).join(" ")).toBe(ends);
});

it("a zone described without its offset is taken by its name", () => {
  const described = (name: string) => [
    `BEGIN:VTIMEZONE\r\nTZID:${name}\r\nX-LIC-LOCATION:${name}\r\nEND:VTIMEZONE`,
    event("UID:1", `DTSTART;TZID=${name}:20261201T090000`, "DURATION:PT1H"),
  ];
  expect(times(file(...described("Asia/Kolkata")))).toEqual(["2026-12-01T03:30 2026-12-01T04:30"]);
  expect(codeOf(file(...described("Moon")))).toBe("zone");
});

it("whole days that end as they begin are one day; a time that ends before it begins is refused", () => {
  const whole = (end: string) =>
    file(event("UID:1", "DTSTART;VALUE=DATE:20261201", `DTEND;VALUE=DATE:${end}`));
  expect(times(whole("20261201"))).toEqual(["2026-11-30T18:30 2026-12-01T18:30"]);
  expect(codeOf(whole("20261130"))).toBe("not_calendar");
  const duty = (day: string, ...more: string[]) =>
    file(event("UID:1", `DTSTART:${day}T223000Z`, `DTEND:${day}T013000Z`, ...more));
  expect(codeOf(duty("20261201"))).toBe("not_calendar");
  // What is over or free matters to nobody.
  expect(codeOf(duty("20261101"))).toBe("0 times");
  expect(codeOf(duty("20261201", "TRANSP:TRANSPARENT"))).toBe("0 times");
  const back = event("UID:1", "DTSTART:20261201T090000Z", "DURATION:-PT1H");
  expect(codeOf(file(back))).toBe("not_calendar");
});

it("follows each of several rules to its end, and the event's own time whatever they say", () => {
  const rules = ["RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=MONTHLY;COUNT=3"];
  const first = ["UID:1", "DTSTART:20261201T090000Z", "DURATION:PT1H"];
  const days = (text: string) => times(text).map((time) => time.slice(0, 10));
  for (const ordered of [rules, rules.toReversed()]) {
    expect(days(file(event(...first, ...ordered)))).toEqual([
      ...["2026-12-01", "2026-12-08", "2026-12-15", "2027-01-01", "2027-02-01"],
    ]);
  }
  // The first is a Tuesday.
  const wednesdays = event(...first, "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2");
  expect(days(file(wednesdays))).toEqual(["2026-12-01", "2026-12-02", "2026-12-09"]);
  const without = event(...first, ...rules, "EXDATE:20261201T090000Z,20270101T090000Z");
  expect(days(file(without))).toEqual(["2026-12-08", "2026-12-15", "2027-02-01"]);
});

it("moves this and all that follow", () => {
  const series = ["DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"];
  const moved = [
    "RECURRENCE-ID;RANGE=THISANDFUTURE:20261202T090000Z",
    "DTSTART:20261202T110000Z",
    "DURATION:PT2H",
  ];
  expect(times(file(event("UID:1", ...series), event("UID:1", ...moved)))).toEqual([
    "2026-12-01T09:00 2026-12-01T10:00",
    "2026-12-02T11:00 2026-12-02T13:00",
    "2026-12-03T11:00 2026-12-03T13:00",
  ]);
});

it("leaves out what is free, cancelled, over, or more than a year ahead", () => {
  const at = (day: string, ...more: string[]) =>
    event(`UID:${day}`, `DTSTART:${day}T090000Z`, "DURATION:PT1H", ...more);
  const text = file(
    at("20261201", "TRANSP:TRANSPARENT"),
    at("20261202", "STATUS:CANCELLED"),
    at("20261101"),
    at("20271201"),
    at("20261203", "TRANSP:OPAQUE", "STATUS:TENTATIVE"),
  );
  expect(times(text)).toEqual(["2026-12-03T09:00 2026-12-03T10:00"]);
});

it("cuts what is under way to the days that are asked for", () => {
  expect(times(file(event("UID:1", "DTSTART:20200101T000000Z", "DTEND:20990101T000000Z")))).toEqual(
    [`${utc(QUESTION.from)} ${utc(QUESTION.to)}`],
  );
});

it("finds nothing in our own invitations and feed, moved and cancelled ones too", () => {
  const person = { name: "Capt. Asha Sample", email: "asha@captains.example" };
  const session = {
    ...{ uid: "k3m9", domain: "captains.example", status: "CONFIRMED" as const, sequence: 0 },
    ...{ startsAt: FROM + 30 * HOUR, endsAt: FROM + 31 * HOUR, stamp: FROM },
    ...{ summary: "Session", description: "", location: "", organizer: person },
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

it("refuses what is no calendar, or cut off, or names a zone that nobody knows", () => {
  const whole = file(event("UID:1", "DTSTART:20261201T090000Z", "DURATION:PT1H"));
  const unknown = event("UID:1", "DTSTART;TZID=Moon:20261201T090000", "DURATION:PT1H");
  const broken = event("UID:1", "DTSTART:2026-12-01 09:00", "DURATION:PT1H");
  expect(codeOf(whole)).toBe("1 times");
  for (const text of ["", "<!doctype html>", whole.slice(0, 90), file(broken)]) {
    expect(codeOf(text)).toBe("not_calendar");
  }
  const busy = "FREEBUSY;FBTYPE=BUSY:20261201T090000Z/PT2H";
  expect(codeOf(file("BEGIN:VFREEBUSY", "UID:1", busy, "END:VFREEBUSY"))).toBe("not_calendar");
  expect(codeOf(file())).toBe("0 times");
  expect(codeOf("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:x\r\nEND:VCARD\r\n")).toBe("not_calendar");
  expect(codeOf(file(unknown))).toBe("zone");
});

it("refuses more than 10,000 times, and rules that take too long", () => {
  const hourly = (more: string) =>
    file(event("UID:1", "DTSTART:20261201T090000", "DURATION:PT1M", `RRULE:FREQ=${more}`));
  expect(codeOf(hourly("MINUTELY;COUNT=10000"))).toBe("10000 times");
  expect(codeOf(hourly("MINUTELY;COUNT=10001"))).toBe("too_many");
  expect(codeOf(hourly("SECONDLY"))).toBe("too_many");
  const old = event("UID:1", "DTSTART:20000101T090000Z", "RRULE:FREQ=SECONDLY");
  expect(codeOf(file(old))).toBe("too_much");
  const long = Array.from({ length: 40 }, (_, n) =>
    event(`UID:${n}`, `DTSTART:2026112${n % 10}T09${10 + n}00Z`, "DURATION:P366D"),
  );
  expect(codeOf(file(...long))).toBe("too_many");
});

it("cuts each time at India's midnights, and marks its end", () => {
  const [startsAt, endsAt] = [FROM + 20 * HOUR, FROM + 2 * DAY];
  expect(dayParts([{ startsAt, endsAt }])).toEqual([
    { startsAt, endsAt: FROM + DAY, isLast: false },
    { startsAt: FROM + DAY, endsAt, isLast: true },
  ]);
});
