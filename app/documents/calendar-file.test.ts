import { describe, expect, it } from "vitest";
import { type CalendarFileInput, calendarFeed, calendarFile } from "./calendar-file.ts";

const HINDI = "राजेश्वरी कृष्णमूर्ति के साथ विमानन करियर परामर्श का एक घंटे का सत्र";

function invite(changes: Partial<CalendarFileInput> = {}): CalendarFileInput {
  return {
    method: "REQUEST",
    uid: "k3j4h5m6n7",
    domain: "book.example.in",
    sequence: 0,
    status: "CONFIRMED",
    startsAt: Date.UTC(2026, 10, 21, 8, 30),
    endsAt: Date.UTC(2026, 10, 21, 9, 0),
    summary: "Session with Capt. Asha Sample",
    description: "How it takes place: the link below.",
    location: "https://meet.example/captain-asha",
    organizer: { name: "Captain's Briefing", email: "bookings@book.example.in" },
    attendees: [{ name: "Ananya Krishnamurthy", email: "ananya@example.in" }],
    stamp: Date.UTC(2026, 10, 20, 6, 30, 15),
    ...changes,
  };
}

/** Content lines after unfolding. */
function linesOf(file: string): string[] {
  return file.replaceAll("\r\n ", "").split("\r\n");
}

it("writes these files for these events", async () => {
  const { method: _, attendees: __, ...event } = invite();
  const files = [
    calendarFile(invite()),
    calendarFile(invite({ method: "CANCEL", status: "CANCELLED", sequence: 2 })),
    calendarFile(invite({ status: "TENTATIVE" })),
    calendarFile(invite({ method: "PUBLISH", summary: "a\u0007b" })),
    calendarFeed({ name: "Capt. Asha", events: [event] }),
  ];
  await expect(files.join("\n").replaceAll("\r\n", "\n")).toMatchFileSnapshot("kept-calendars.txt");
});

describe("calendarFile", () => {
  it("is an invite with every property that a request needs", () => {
    const lines = linesOf(calendarFile(invite()));
    expect(lines[0]).toBe("BEGIN:VCALENDAR");
    for (const line of [
      "VERSION:2.0",
      "METHOD:REQUEST",
      "UID:k3j4h5m6n7@book.example.in",
      "SEQUENCE:0",
      "DTSTAMP:20261120T063015Z",
      "DTSTART:20261121T083000Z",
      "DTEND:20261121T090000Z",
      "STATUS:CONFIRMED",
      "LOCATION:https://meet.example/captain-asha",
      `ORGANIZER;CN="Captain's Briefing":mailto:bookings@book.example.in`,
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.find((line) => line.startsWith("ATTENDEE"))).toMatch(
      /;RSVP=FALSE;CN="Ananya Krishnamurthy":MAILTO:ananya@example\.in$/,
    );
    expect(lines.some((line) => line.startsWith("PRODID:-//"))).toBe(true);
  });

  it("ends every line with CRLF, the last one too, and folds at 75 octets", () => {
    const file = calendarFile(
      invite({
        summary: HINDI,
        description: `${HINDI}\n${HINDI}`,
        attendees: [{ name: HINDI, email: "a@example.in" }],
      }),
    );
    expect(file.endsWith("END:VCALENDAR\r\n")).toBe(true);
    expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    for (const line of file.split("\r\n")) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line.isWellFormed()).toBe(true);
    }
    const lines = linesOf(file);
    expect(lines).toContain(`SUMMARY:${HINDI}`);
    expect(lines).toContain(`DESCRIPTION:${HINDI}\\n${HINDI}`);
    expect(lines.some((line) => line.includes(`CN="${HINDI}"`))).toBe(true);
  });

  it("escapes commas, semicolons, backslashes and line ends in text", () => {
    const lines = linesOf(
      calendarFile(invite({ summary: "One, two; three \\ four", description: "a\r\nb\rc\nd" })),
    );
    expect(lines).toContain("SUMMARY:One\\, two\\; three \\\\ four");
    expect(lines).toContain("DESCRIPTION:a\\nb\\nc\\nd");
  });

  it("keeps a name inside its parameter", () => {
    const lines = linesOf(
      calendarFile(
        invite({
          attendees: [{ name: 'Eve "x"; y, z: \r\nX-EVIL:1\u0007', email: "eve@example.in" }],
        }),
      ),
    );
    expect(lines.some((line) => line.includes(`CN="Eve 'x'; y, z: X-EVIL:1":MAILTO:`))).toBe(true);
    expect(lines.some((line) => line.startsWith("X-EVIL"))).toBe(false);
  });

  it("reminds in a request, and a cancellation has the same uid and no alarm", () => {
    expect(linesOf(calendarFile(invite()))).toContain("TRIGGER:-PT1H");
    const lines = linesOf(
      calendarFile(invite({ method: "CANCEL", status: "CANCELLED", sequence: 2 })),
    );
    for (const line of [
      "METHOD:CANCEL",
      "STATUS:CANCELLED",
      "SEQUENCE:2",
      "UID:k3j4h5m6n7@book.example.in",
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.join("\n")).not.toContain("VALARM");
    expect(lines.some((line) => line.startsWith("ATTENDEE"))).toBe(true);
  });

  it("publishes without attendees", () => {
    const lines = linesOf(calendarFile(invite({ method: "PUBLISH" })));
    expect(lines).toContain("METHOD:PUBLISH");
    expect(lines.some((line) => line.startsWith("ATTENDEE"))).toBe(false);
  });

  it("is the same whatever the zone of the process", () => {
    const before = process.env.TZ;
    const files = ["UTC", "Asia/Kolkata", "America/New_York"].map((zone) => {
      process.env.TZ = zone;
      return calendarFile(invite());
    });
    process.env.TZ = before;
    if (before === undefined) delete process.env.TZ;
    expect(new Set(files).size).toBe(1);
    expect(files[0]).not.toContain("TZID");
  });
});

describe("calendarFeed", () => {
  it("has a name, a refresh time and one event per session", () => {
    const { method: _, attendees: __, ...event } = invite();
    const file = calendarFeed({
      name: "Capt. Asha, sessions; all",
      events: [event, { ...event, uid: "other" }],
    });
    const lines = linesOf(file);
    expect(lines).toContain("X-WR-CALNAME:Capt. Asha\\, sessions\\; all");
    expect(lines).toContain("REFRESH-INTERVAL;VALUE=DURATION:PT15M");
    expect(lines.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(2);
    expect(lines).toContain("UID:other@book.example.in");
    expect(file).not.toMatch(/VALARM|ATTENDEE/);
  });

  it("may be empty", () => {
    expect(calendarFeed({ name: "Asha", events: [] })).toMatch(
      /^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/,
    );
  });
});
