/** The dates of a view of the calendar, and the position of each thing in a day's column. */
import type { BusyTime, CounselorDay } from "#app/booking/dashboard.server.ts";
import { addDays, minutesOf, weekdayOf } from "#app/model/dates.ts";
import { BLOCK_MINUTES, type Block, MASTER_TIMES } from "#app/model/day-plan.ts";

/** A day's column has one row for each half hour of the master list. */
const FIRST_MINUTE = minutesOf(MASTER_TIMES[0]!);

/** The row of a minute of the day; outside the column if negative or past the last master time. */
export function rowOf(minute: number): number {
  return Math.floor((minute - FIRST_MINUTE) / BLOCK_MINUTES);
}

type Session = CounselorDay["sessions"][number];

/** Consecutive half hours shown as one cell, with all that overlaps them. */
export interface Cell {
  row: number;
  rows: number;
  /** A session has precedence over blocked time, and that over busy time. */
  kind: "session" | "blocked" | "busy" | "free" | "none";
  sessions: Session[];
  blocked: Block[];
  busy: BusyTime[];
}

/**
 * The column from top to bottom, without gaps. What is outside the column is cut off, but a session
 * always has a cell.
 */
export function cellsOf({ offered, blocked, busy, sessions }: CounselorDay): Cell[] {
  const cells: Cell[] = [];
  const last = MASTER_TIMES.length - 1;
  for (const [row, timeSlot] of MASTER_TIMES.entries()) {
    const touching = {
      sessions: sessions.filter(({ timeSlot, minutes }) => {
        const start = minutesOf(timeSlot);
        const first = Math.min(Math.max(rowOf(start), 0), last);
        return first === row || (first < row && row <= rowOf(start + minutes - 1));
      }),
      blocked: blocked.filter((block) => block.timeSlot === timeSlot),
      busy: busy.filter(({ from, to }) => {
        return rowOf(minutesOf(from)) <= row && row <= rowOf(minutesOf(to) - 1);
      }),
    };
    const kind = kindOf(touching) ?? (offered.includes(timeSlot) ? "free" : "none");
    const above = cells.at(-1);
    if (above?.kind !== kind || !belongTogether(above, touching)) {
      cells.push({ row, rows: 1, kind, ...touching });
      continue;
    }
    above.rows += 1;
    above.sessions = union(above.sessions, touching.sessions);
    above.blocked = union(above.blocked, touching.blocked);
    above.busy = union(above.busy, touching.busy);
  }
  return cells;
}

type Touching = Pick<Cell, "sessions" | "blocked" | "busy">;

function kindOf({ sessions, blocked, busy }: Touching): Cell["kind"] | null {
  if (sessions.length > 0) return "session";
  if (blocked.length > 0) return "blocked";
  return busy.length > 0 ? "busy" : null;
}

/** Whether two adjacent half hours of the same kind form one cell. */
function belongTogether({ kind, ...above }: Cell, below: Touching): boolean {
  if (kind === "session") return above.sessions.some((one) => below.sessions.includes(one));
  if (kind === "blocked") return above.blocked[0]?.reason === below.blocked[0]?.reason;
  return kind === "busy" && above.busy.some((one) => below.busy.includes(one));
}

function union<T>(above: T[], below: T[]): T[] {
  return [...new Set([...above, ...below])];
}

export const CALENDAR_VIEWS = ["day", "week", "month"] as const;
export type CalendarViewName = (typeof CALENDAR_VIEWS)[number];

export function viewNamed(name: string | null): CalendarViewName {
  return CALENDAR_VIEWS.find((view) => view === name) ?? "day";
}

/** First and last date of a view; week and month views have whole weeks, Monday to Sunday. */
export function rangeOf(view: CalendarViewName, date: string): { from: string; to: string } {
  if (view === "day") return { from: date, to: date };
  const isWeek = view === "week";
  const last = isWeek ? date : addDays(stepFrom("month", date, 1), -1);
  return { from: mondayOf(isWeek ? date : firstOfMonth(date)), to: addDays(mondayOf(last), 6) };
}

/** A date in the previous (-1) or next (1) day, week or month. */
export function stepFrom(view: CalendarViewName, date: string, step: -1 | 1): string {
  if (view !== "month") return addDays(date, step * (view === "week" ? 7 : 1));
  return firstOfMonth(addDays(firstOfMonth(date), step === 1 ? 31 : -1));
}

function firstOfMonth(date: string): string {
  return `${date.slice(0, 7)}-01`;
}

function mondayOf(date: string): string {
  return addDays(date, -((weekdayOf(date) + 6) % 7));
}
