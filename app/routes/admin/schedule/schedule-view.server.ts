/** The view of a captain's schedule. */
import { data, type RouterContextProvider } from "react-router";
import { ownCounselor, withinReach } from "#app/auth/require-admin.server.ts";
import { readBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { type DayPreview, previewOf } from "#app/availability/read-slots.server.ts";
import { isInRanges } from "#app/availability/week-ranges.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { addDays, adminDate, dateInIndia, formatSlot } from "#app/model/dates.ts";
import { WEEKDAYS, type Week, weekdayNameOf } from "#app/model/day-plan.ts";
import { clashesOf } from "#app/routes/admin/parts/clashes-view.server.ts";
import { readDayPlans } from "#db/queries/availability.server.ts";
import { findHours, type LeaveEntry, listLeave } from "#db/queries/hours.server.ts";

const PREVIEW_DAYS = 28;

export type ScheduleView = ReturnType<typeof readSchedule>;
export type PreviewDay = ReturnType<typeof previewDay>;

/** Throws a 404 page for an unknown key. */
export function readSchedule(context: Readonly<RouterContextProvider>, key: string) {
  const deps = context.get(depsContext);
  const { db } = deps;
  const catalogue = withinReach(ownCounselor(context), readCatalogue(db));
  const counselor = findCounselorByKey(catalogue, key);
  const calendar = readBusyCalendar(deps, key);
  if (!counselor || !calendar.ok) throw data(null, { status: 404 });
  const now = deps.now();
  const today = dateInIndia(now);
  const { week, bufferMinutes, version } = findHours(db, key);
  const { defaultTimes } = catalogue;
  const usual = Object.fromEntries(WEEKDAYS.map((day) => [day, defaultTimes])) as Week;
  const last = addDays(today, PREVIEW_DAYS - 1);
  return {
    key,
    counselor: counselor.name,
    active: counselor.active,
    today,
    calendar: calendar.value,
    counselors: catalogue.counselors.map(({ key, name }) => ({ key, name })),
    hours: hoursView(week ?? usual, { isDefault: week === null, bufferMinutes, version }),
    leave: listLeave(db, today, key).map(leaveView),
    preview: readDayPlans(db, key, today, last, now).map((plan) => previewDay(previewOf(plan))),
    clashes: clashesOf(deps, context, key),
  };
}

type HoursView = ReturnType<typeof hoursView>;

function hoursView(
  week: Week,
  saved: { isDefault: boolean; bufferMinutes: number; version: number },
) {
  const hasGaps = !isInRanges(week);
  const as: "ranges" | "single" = hasGaps && !saved.isDefault ? "single" : "ranges";
  return { ...saved, week, as, hasGaps };
}

/** With the submitted times, as ranges or single times as submitted. */
export function typedHours(hours: HoursView, form: FormData): HoursView {
  const days = WEEKDAYS.map((day) => [day, form.getAll(day).map(String)]);
  const week = Object.fromEntries(days) as Week;
  // As submitted: what another admin saved meanwhile makes the next submission stale.
  const version = Number(form.get("version")) || hours.version;
  if (form.get("as") === "ranges") return { ...hours, version, week, as: "ranges" };
  return { ...hours, version, week, as: "single", hasGaps: !isInRanges(week) };
}

function leaveView({ id, counselorKey, from, to, reason }: LeaveEntry) {
  const days = from === to ? adminDate(from) : `${adminDate(from)} to ${adminDate(to)}`;
  return { id, days, reason, forAll: counselorKey === null };
}

const SOURCES = {
  leave: "leave",
  set: "set for this date",
  hours: "weekly hours",
  off: "day off",
  default: "default times",
} as const;

const TAKEN_BY = {
  taken: "booked",
  block: "blocked",
  leave: "leave",
  buffer: "buffer",
  busy: "busy",
} as const;

function previewDay({ date, source, reason, times }: DayPreview) {
  return {
    date,
    day: adminDate(date).slice(0, 6),
    weekday: weekdayNameOf(date),
    source: source === "leave" && reason ? `leave: ${reason}` : SOURCES[source],
    times: times.map(({ timeSlot, obstacle }) => ({
      timeSlot,
      label: formatSlot(timeSlot),
      takenBy: obstacle && TAKEN_BY[obstacle],
    })),
  };
}
