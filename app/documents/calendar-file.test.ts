import { describe, expect, it } from "vitest";
import { type CalendarFileInput, calendarFeed, calendarFile } from "./calendar-file.ts";

const HINDI = "राजेश्वरी कृष्णमूर्ति के साथ विमानन करियर परामर्श का एक घंटे का सत्र";

const HOSTILE = 'Eve "x"; y, z: \r\nX-EVIL:1\u0007';

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
  const other = { ...event, uid: "other" };
  const files = [
    calendarFile(invite()),
    calendarFile(invite({ method: "CANCEL", status: "CANCELLED", sequence: 2 })),
    calendarFile(invite({ status: "TENTATIVE" })),
    calendarFile(invite({ method: "PUBLISH", summary: "a\u0007b" })),
    calendarFile(invite({ summary: "1, 2; 3 \\ 4", description: "a\r\nb\rc\nd" })),
    calendarFile(invite({ attendees: [{ name: HOSTILE, email: "eve@example.in" }] })),
    calendarFeed({ brand, name: "Capt. Asha", events: [event] }),
    calendarFeed({ brand: "Sky, and; more", name: "Asha, all; of it", events: [event, other] }),
    calendarFeed({ brand, name: "Asha", events: [] }),
  ];
  await expect(files.join("\n").replaceAll("\r\n", "\n")).toMatchFileSnapshot(
    "golden-calendars.txt",
  );
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
