import { describe, expect, it } from "vitest";
import { calendarLinks } from "./booking-words.ts";

const links = calendarLinks("Captain's Briefing: session with Capt. Asha & Co. Sample", {
  startsAt: Date.UTC(2026, 10, 30, 5, 30),
  endsAt: Date.UTC(2026, 10, 30, 6, 15),
});

describe("a session in a calendar on the web", () => {
  it("fills in Google's entry with title and time", () => {
    expect(links.google).toBe(
      "https://calendar.google.com/calendar/render?action=TEMPLATE&text=Captain's%20Briefing%3A%20session%20with%20Capt.%20Asha%20%26%20Co.%20Sample&dates=20261130T053000Z%2F20261130T061500Z",
    );
  });

  it("fills in Outlook's entry with title and time", () => {
    expect(links.outlook).toBe(
      "https://outlook.live.com/calendar/0/deeplink/compose?path=%2Fcalendar%2Faction%2Fcompose&rru=addevent&subject=Captain's%20Briefing%3A%20session%20with%20Capt.%20Asha%20%26%20Co.%20Sample&startdt=2026-11-30T05%3A30%3A00Z&enddt=2026-11-30T06%3A15%3A00Z",
    );
  });
});
