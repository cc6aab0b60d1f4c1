/** The view of one counselor's day in the slots dialog, and the dates of a change. */
import { ownCounselor, withinReach } from "#app/auth/require-admin.server.ts";
import { expandDates } from "#app/availability/fields.ts";
import { type AdminDay, readAdminDay } from "#app/availability/read-slots.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { findCounselorByName } from "#app/model/catalogue.ts";
import { adminDay, dateInIndia, formatSlot, isCalendarDate, minutesOf } from "#app/model/dates.ts";
import { BLOCK_MINUTES, MASTER_TIMES } from "#app/model/day-plan.ts";
import { personName } from "#app/model/wording.ts";
import { clashesOf } from "#app/routes/admin/parts/clashes-view.server.ts";
import type { Shown } from "#app/routes/admin/parts/form-page.server.ts";
import type { TimeChoice } from "#app/routes/admin/parts/time-choices.tsx";
import type { Route } from "./+types/slots";

export type SlotsView = ReturnType<typeof readSlots>;

type Of = Shown<Route.LoaderArgs, unknown>;
type Asked = Pick<Of, "context" | "deps" | "form" | "typed" | "url"> & Partial<Of>;

/** An unknown counselor or invalid date is replaced by the first counselor or today. */
export function readSlots({ context, deps, form, typed, url, refused }: Asked) {
  const today = dateInIndia(deps.now());
  const catalogue = withinReach(ownCounselor(context), readCatalogue(deps.db));
  const { counselors } = catalogue;
  const counselor =
    findCounselorByName(catalogue, typed.counselor ?? "") ??
    counselors.find(({ active }) => active) ??
    counselors[0]!;
  const { date: asked = "" } = typed;
  const date = isCalendarDate(asked) && asked >= today ? asked : today;
  const times = form ? [] : url.searchParams.getAll("time");
  // A refused form keeps what was ticked; without a tick, it shows the saved state.
  const ticked = (name: string) => (refused && form?.has(name) ? form.getAll(name) : null);
  const day = readAdminDay(deps, counselor.key, date);
  return {
    counselors: counselors.map(({ name }) => name),
    counselor: counselor.name,
    today,
    date,
    day: adminDay(date),
    /** The day and its times, which the form sends back to detect a change by another admin. */
    shown: [counselor.key, date, ...day.timeSlots].join(" "),
    isDefault: day.isDefault,
    hasHours: day.hasHours,
    clashes: clashesOf(deps, context, counselor.key),
    offered: MASTER_TIMES.map((time) => ({
      ...choiceOf(day, time, offeredNote(day, time)),
      checked: (ticked("timeSlots") ?? day.timeSlots).includes(time),
    })),
    blockable: MASTER_TIMES.map((time) => ({
      ...choiceOf(day, time, null),
      checked: (ticked("timeSlotsToBlock") ?? times).includes(time),
    })),
  };
}

function choiceOf(day: AdminDay, timeSlot: string, own: string | null): TimeChoice {
  const taken = takenNote(day, timeSlot);
  return {
    value: timeSlot,
    label: formatSlot(timeSlot),
    note: [own, taken].filter(Boolean).join(", ") || null,
    off: taken !== null,
  };
}

function offeredNote({ timeSlots, isDefault, hasHours }: AdminDay, timeSlot: string) {
  if (!timeSlots.includes(timeSlot)) return null;
  if (!isDefault) return "set";
  return hasHours ? "weekly" : "default";
}

function takenNote(day: AdminDay, timeSlot: string): string | null {
  const at = minutesOf(timeSlot);
  const session = day.booked.find((booked) => {
    const start = minutesOf(booked.timeSlot);
    return start < at + BLOCK_MINUTES && at < start + booked.minutes;
  });
  const block = day.blocked.find((blocked) => blocked.timeSlot === timeSlot);
  const notes: string[] = [];
  if (block) notes.push(block.reason ? `blocked: ${block.reason}` : "blocked");
  if (session) notes.push(`booked: ${personName(session.name)}`);
  return notes.join(", ") || null;
}

/** From `date` to `until`, or only `date`; on the chosen weekdays. */
export function datesOf(form: FormData): string[] {
  const from = String(form.get("date") ?? "");
  const until = String(form.get("until") ?? "");
  const weekdays = form
    .getAll("weekday")
    .map(Number)
    .filter((day) => Number.isInteger(day) && day >= 0 && day <= 6);
  if (!isCalendarDate(from)) return [];
  if (until === "") return [from];
  return isCalendarDate(until) ? expandDates({ from, to: until, weekdays }) : [];
}
