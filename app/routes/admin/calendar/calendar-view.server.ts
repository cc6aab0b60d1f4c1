/** The view of the calendar: each day in words, and links to other days. */
import { shownId, withinReach } from "#app/auth/require-admin.server.ts";
import { type CounselorDay, readCalendar } from "#app/booking/dashboard.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import {
  adminDate,
  adminDay,
  adminSession,
  dateInIndia,
  formatSlot,
  isCalendarDate,
} from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { formatMonth } from "#app/model/month.ts";
import { attendanceLabel, personName, statusLabel } from "#app/model/wording.ts";
import { searchOf } from "#app/routes/admin/parts/list-search.ts";
import { attendanceView } from "#app/routes/admin/parts/views.server.ts";
import {
  type CalendarViewName,
  type Cell,
  cellsOf,
  rangeOf,
  viewNamed,
} from "./calendar-layout.ts";

export type CalendarView = ReturnType<typeof readCalendarView>;
export type DayView = CalendarView["days"][number];
export type CellView = DayView["columns"][number]["cells"][number];
export type MonthDay = CalendarView["weeks"][number][number];

/**
 * An invalid view, date or captain is replaced by the day view, today in India, and all captains. A
 * captain (key `own`) sees only their own calendar.
 */
export function readCalendarView(deps: ReadDeps, search: string, own: string | null = null) {
  const now = deps.now();
  const today = dateInIndia(now);
  const asked = new URLSearchParams(search);
  const view = viewNamed(asked.get("view"));
  const date = readDate(asked.get("date")) ?? today;
  const catalogue = withinReach(own, readCatalogue(deps.db));
  const chosen = findCounselorByName(catalogue, asked.get("counselor") ?? "");
  const range = rangeOf(view, date);
  const counselors = chosen ? [chosen] : catalogue.counselors;
  const days = readCalendar(deps, { counselors, ...range });
  // Captains who are not active are shown while they have sessions.
  const columns = days.flatMap(({ counselors }) => counselors);
  const withSessions = columns.filter(({ sessions }) => sessions.length > 0);
  const shown = new Set([
    ...counselors.filter((one) => one === chosen || one.active).map(({ key }) => key),
    ...withSessions.map(({ key }) => key),
  ]);
  const searchAt = (at: string, as: CalendarViewName) =>
    searchOf({ view: as, date: at, counselor: chosen?.name });
  const all = days.map(({ date: day, counselors: columns }) => ({
    date: day,
    words: adminDay(day),
    isToday: day === today,
    search: searchAt(day, "day"),
    columns: columns.filter(({ key }) => shown.has(key)),
  }));
  return {
    view,
    title: titleOf(view, date, range),
    now,
    today,
    counselor: chosen?.name ?? null,
    search: searchAt(date, view),
    /** Names of the captains to choose from. */
    names: catalogue.counselors
      .filter((one) => one.active || one === chosen)
      .map(({ name }) => name),
    /** Whether a value of the address was invalid. */
    ignored: Boolean(
      (asked.get("view") && asked.get("view") !== view) ||
        (asked.get("date") && asked.get("date") !== date) ||
        (asked.get("counselor") && !chosen),
    ),
    days:
      view === "month"
        ? []
        : all.map((day) => ({
            ...day,
            columns: day.columns.map((column) => ({
              key: column.key,
              name: column.name,
              leave: leaveWords(column.leave),
              cells: cellsOf(column).map((cell) => cellView(own, cell, column, day.date, now)),
            })),
          })),
    weeks: view === "month" ? weeksOf(all.map((day) => monthDay(day, date))) : [],
  };
}

/** A calendar date of the years 2000 to 2099; else null. */
function readDate(text: string | null): string | null {
  return text !== null && isCalendarDate(text) && text.startsWith("20") ? text : null;
}

function titleOf(view: CalendarViewName, date: string, { from, to }: { from: string; to: string }) {
  if (view === "month") return formatMonth(date.slice(0, 7));
  return view === "day" ? adminDay(date) : `${adminDate(from)} to ${adminDate(to)}`;
}

/** Without the year, since a column of the week view is narrow. */
const shortDate = (date: string) => adminDate(date).slice(0, 6);

function leaveWords(leave: CounselorDay["leave"]): string | null {
  if (!leave) return null;
  const days =
    leave.from === leave.to ? "" : ` (${shortDate(leave.from)} to ${shortDate(leave.to)})`;
  return `${leave.reason ? `On leave: ${leave.reason}` : "On leave"}${days}`;
}

function cellView(
  own: string | null,
  cell: Cell,
  { name, leave }: CounselorDay,
  date: string,
  now: number,
) {
  const { row, rows, kind, sessions, blocked, busy } = cell;
  const times = MASTER_TIMES.slice(row, row + rows);
  const words = [
    ...new Set(blocked.map(({ reason }) => (reason ? `Blocked: ${reason}` : "Blocked"))),
    ...busy.map(({ from, to }) => `Busy ${formatSlot(from)} to ${endWords(to)}`),
    ...(kind === "session" && leave ? ["On leave"] : []),
    ...(kind === "free" ? ["Free"] : []),
  ];
  const whenFree = own === null ? "book" : "block";
  const canBlock = kind === "free" || (kind === "blocked" && date >= dateInIndia(now));
  return {
    row,
    rows,
    kind,
    words,
    /** The times that the link opens, and what its accessible name adds to `words`. */
    block: canBlock
      ? {
          counselor: name,
          date,
          times,
          label: `${kind === "free" ? whenFree : "change"} ${adminSession(date, times[0]!)}, ${name}`,
        }
      : null,
    sessions: sessions.map((session) => ({
      id: shownId(own, session),
      name: personName(session.name),
      time: formatSlot(session.timeSlot),
      minutes: session.minutes,
      status: session.status,
      state: session.attendance ? attendanceLabel(session.attendance) : statusLabel(session.status),
      attendance: attendanceView({ ...session, id: shownId(own, session) }, session.name, now),
    })),
  };
}

function endWords(time: string): string {
  return time === "24:00" ? "midnight" : formatSlot(time);
}

function monthDay<Day extends { date: string; columns: CounselorDay[] }>(
  { columns, ...day }: Day,
  date: string,
) {
  const count = (of: (column: CounselorDay) => readonly unknown[]) =>
    columns.reduce((sum, column) => sum + of(column).length, 0);
  return {
    ...day,
    number: Number(day.date.slice(8)),
    isInMonth: day.date.slice(0, 7) === date.slice(0, 7),
    sessions: count(({ sessions }) => sessions),
    free: count(({ offered }) => offered),
    onLeave: columns.filter(({ leave }) => leave).map(({ name }) => name),
  };
}

function weeksOf<T>(days: readonly T[]): T[][] {
  return Array.from({ length: days.length / 7 }, (_, i) => days.slice(i * 7, i * 7 + 7));
}
