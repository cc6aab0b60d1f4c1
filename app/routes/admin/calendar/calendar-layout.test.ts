import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CounselorDay } from "#app/booking/dashboard.server.ts";
import { addDays, daysBetween, minutesOf, weekdayOf } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { CALENDAR_VIEWS, type Cell, cellsOf, rangeOf, rowOf, stepFrom } from "./calendar-layout.ts";

const EMPTY: CounselorDay = {
  key: "asha",
  name: "Asha",
  offered: [],
  blocked: [],
  busy: [],
  leave: null,
  sessions: [],
};

const session = (timeSlot: string, minutes: number): CounselorDay["sessions"][number] => ({
  id: `${timeSlot} ${minutes}`,
  calendarUid: `${timeSlot} ${minutes}`,
  name: "Meera",
  date: "2026-12-01",
  timeSlot,
  minutes,
  status: "confirmed",
  startsAt: 0,
  endsAt: 0,
  attendance: null,
  version: 1,
});

/** The cells that say something, as `kind@row+rows`. */
const drawn = (day: Partial<CounselorDay>) =>
  cellsOf({ ...EMPTY, ...day })
    .filter(({ kind }) => kind !== "none")
    .map(({ kind, row, rows }) => `${kind}@${row}+${rows}`);

describe("a column", () => {
  it("gives each its half hours", () => {
    expect(drawn({ sessions: [session("08:00", 30), session("09:00", 45)] })).toEqual([
      "session@0+1",
      "session@2+2",
    ]);
    expect(drawn({ offered: ["08:00", "08:30", "20:30"] })).toEqual([
      "free@0+1",
      "free@1+1",
      "free@25+1",
    ]);
    expect(drawn({ busy: [{ from: "09:10", to: "10:00" }] })).toEqual(["busy@2+2"]);
  });

  it("puts neighbours together that are one thing, and keeps apart what is two", () => {
    const block = (timeSlot: string, reason: string | null) => ({ timeSlot, reason });
    expect(drawn({ blocked: [block("10:00", "Sim"), block("10:30", "Sim")] })).toEqual([
      "blocked@4+2",
    ]);
    expect(drawn({ blocked: [block("10:00", "Sim"), block("10:30", null)] })).toEqual([
      "blocked@4+1",
      "blocked@5+1",
    ]);
    expect(drawn({ sessions: [session("10:00", 30), session("10:30", 30)] })).toEqual([
      "session@4+1",
      "session@5+1",
    ]);
    const meeting = [
      { from: "10:00", to: "10:30" },
      { from: "10:30", to: "11:00" },
    ];
    expect(drawn({ busy: meeting })).toEqual(["busy@4+1", "busy@5+1"]);
    const overlapping = [
      { from: "09:10", to: "10:00" },
      { from: "09:40", to: "11:00" },
    ];
    expect(drawn({ busy: overlapping })).toEqual(["busy@2+4"]);
  });

  it("cuts at its ends, and leaves out what is busy before and after", () => {
    expect(drawn({ sessions: [session("20:30", 60)] })).toEqual(["session@25+1"]);
    expect(drawn({ sessions: [session("06:00", 30), session("23:00", 60)] })).toEqual([
      "session@0+1",
      "session@25+1",
    ]);
    expect(drawn({ busy: [{ from: "00:00", to: "08:00" }] })).toEqual([]);
    expect(drawn({ busy: [{ from: "21:00", to: "24:00" }] })).toEqual([]);
    expect(drawn({ busy: [{ from: "00:00", to: "24:00" }] })).toEqual(["busy@0+26"]);
  });

  const clock = fc.integer({ min: 0, max: 1439 }).map((minute) => {
    return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  });
  const anyDay = fc.record({
    offered: fc.subarray([...MASTER_TIMES]),
    blocked: fc
      .subarray([...MASTER_TIMES])
      .map((times) => times.map((timeSlot) => ({ timeSlot, reason: null }))),
    busy: fc.array(
      fc
        .tuple(clock, clock)
        .map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: "24:00" })),
      { maxLength: 4 },
    ),
    sessions: fc.array(
      fc.tuple(clock, fc.constantFrom(30, 45, 60)).map(([time, minutes]) => session(time, minutes)),
      { maxLength: 6 },
    ),
  });

  it("has no gap and no overlap, and every session and block in one cell", () => {
    fc.assert(
      fc.property(anyDay, (changes) => {
        const cells: Cell[] = cellsOf({ ...EMPTY, ...changes });
        let next = 0;
        for (const { row, rows } of cells) {
          expect(row).toBe(next);
          next += rows;
        }
        expect(next).toBe(MASTER_TIMES.length);
        for (const one of changes.sessions) {
          expect(cells.filter(({ sessions }) => sessions.includes(one))).toHaveLength(1);
        }
        for (const one of changes.blocked) {
          const cell = cells.find(({ blocked }) => blocked.includes(one))!;
          expect(cell.row <= rowOf(minutesOf(one.timeSlot))).toBe(true);
          expect(["session", "blocked"]).toContain(cell.kind);
        }
        for (const cell of cells.filter(({ kind }) => kind === "free")) {
          expect(changes.offered).toContain(MASTER_TIMES[cell.row]);
        }
      }),
    );
  });
});

describe("a view", () => {
  const anyDate = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("2020-01-01", days));

  it.each(CALENDAR_VIEWS)("%s holds its date, and the next begins where it ends", (view) => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const { from, to } = rangeOf(view, date);
        expect(from <= date && date <= to).toBe(true);
        expect(daysBetween(from, to)).toBeLessThan(42);
        if (view !== "day") expect([weekdayOf(from), weekdayOf(to)]).toEqual([1, 0]);
        const after = stepFrom(view, date, 1);
        expect(rangeOf(view, after).from <= addDays(to, 1)).toBe(true);
        expect(rangeOf(view, after).to > to || view === "month").toBe(true);
        expect(rangeOf(view, stepFrom(view, after, -1))).toEqual({ from, to });
      }),
    );
  });
});
