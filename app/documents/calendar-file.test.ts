import { describe, expect, it } from "vitest";
import { type CalendarFileInput, calendarFeed, calendarFile } from "./calendar-file.ts";

const HINDI = "राजेश्वरी कृष्णमूर्ति के साथ विमानन करियर परामर्श का एक घंटे का सत्र";

function invite(changes: Partial<CalendarFileInput> = {}): CalendarFileInput {
  return {
    method: "REQUEST",
    brand: "Captain's Briefing",
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
  const { method: _, attendees: __, brand, ...event } = invite();
  const files = [
    calendarFile(invite()),
    calendarFile(invite({ method: "CANCEL", status: "CANCELLED", sequence: 2 })),
    calendarFile(invite({ status: "TENTATIVE" })),
    calendarFile(invite({ method: "PUBLISH", summary: "a\u0007b" })),
    calendarFeed({ brand, name: "Capt. Asha", events: [event] }),
  ];
  await expect(files.join("\n").replaceAll("\r\n", "\n")).toMatchFileSnapshot("kept-calendars.txt");
});

describe("calendarFile", () => {
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

it("a feed has an escaped name and each of its events, or none", () => {
  const { method: _, attendees: __, brand: ___, ...event } = invite();
  const events = [event, { ...event, uid: "other" }];
  const lines = linesOf(
    calendarFeed({ brand: "Sky, and; more", name: "Capt. Asha, sessions; all", events }),
  );
  expect(lines).toContain("X-WR-CALNAME:Capt. Asha\\, sessions\\; all");
  expect(lines).toContain("PRODID:-//Sky\\, and\\; more//Sessions//EN");
  expect(lines.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(2);
  expect(calendarFeed({ brand: "Sky", name: "Asha", events: [] })).toMatch(
    /^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/,
  );
});
