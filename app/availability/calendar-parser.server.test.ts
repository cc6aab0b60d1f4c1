/** A calendar is worked out on a thread of its own: whatever stands in it, this one goes on. */
import { expect, it, vi } from "vitest";
import { DAY, HOUR } from "#app/model/dates.ts";
import { parseCalendar } from "./calendar-parser.server.ts";

const FROM = Date.parse("2026-11-21T18:30:00Z");
const QUERY = { ownDomains: [], from: FROM, to: FROM + 367 * DAY };
const NEVER = new AbortController().signal;

const parse = (lines: string, stop = NEVER) => {
  const text = `BEGIN:VCALENDAR\n${lines}END:VCALENDAR\n`;
  return parseCalendar(new Uint8Array(Buffer.from(text)), QUERY, stop);
};

it("answers the busy times, or what is wrong, and nothing to who asks no more", async () => {
  const startsAt = Date.parse("2026-12-01T00:00:00Z");
  const event = "BEGIN:VEVENT\nDTSTART:20261201T000000Z\nDURATION:PT1H\nEND:VEVENT\n";
  const part = { startsAt, endsAt: startsAt + HOUR, isLast: true };
  expect(await parse(event)).toEqual([part]);
  await expect(parse("BEGIN:VEVENT\n")).rejects.toMatchObject({ code: "not_calendar" });
  const left = parse(event, AbortSignal.abort());
  await expect(left).rejects.toMatchObject({ code: "too_much" });
});

it("hostile calendars cost the process's own thread little, and leave its memory flat", async () => {
  const utc = "20261201T000000Z";
  const many = `BEGIN:VEVENT\nDTSTART:${utc}\nEND:VEVENT\n`.repeat(5_000);
  const zone = `BEGIN:VTIMEZONE\nTZID:x\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0000\nRRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=x:20261201T000000\nEND:VEVENT\n`;
  const old = `BEGIN:VEVENT\nDTSTART:19900101T000000Z\nRRULE:FREQ=SECONDLY\nEND:VEVENT\n`;
  await parse(many);
  const memory = process.memoryUsage().rss;
  const before = process.threadCpuUsage();
  const { timeout } = AbortSignal;
  for (const endless of [old, zone]) {
    // Each is worked on until it is given up; half a second stands for its ten.
    const limits = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
    await expect(parse(endless)).rejects.toMatchObject({ code: "too_much" });
    expect(limits).toHaveBeenCalledWith(10_000);
    limits.mockRestore();
  }
  expect(await parse(many)).toEqual([]);
  const spent = process.threadCpuUsage(before);
  // Milliseconds of three calendars; worked out here they would take seconds.
  expect((spent.user + spent.system) / 1000).toBeLessThan(1_000);
  expect((process.memoryUsage().rss - memory) / 2 ** 20).toBeLessThan(150);
});
