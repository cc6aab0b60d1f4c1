/** Form and API fields for a captain's times: dates, blocks, weekly hours, leave, busy calendar. */
import { z } from "zod";
import { timeSlotsSchema, timesSchemaOf } from "#app/catalogue/fields.ts";
import { addDays, daysBetween, weekdayOf } from "#app/model/dates.ts";
import { WEEKDAYS, type Week, type Weekday } from "#app/model/day-plan.ts";
import { rangeSchemaOf, versionSchema } from "#app/model/fields.ts";
import { counselorSchema, dateSchemaOf, textSchemaOf } from "#app/model/text.ts";

const reasonSchema = textSchemaOf("reason", 200).optional();

/** One day of one captain. */
export const daySchema = z.object({
  counselor: counselorSchema,
  date: dateSchemaOf("Date is required", { abort: true }),
});

export const setSlotsSchema = daySchema.extend({ timeSlots: timeSlotsSchema });

export const setBlocksSchema = daySchema.extend({
  timeSlotsToBlock: timeSlotsSchema,
  action: z.enum(["block", "unblock"], { error: "Please choose block or unblock" }),
  reason: reasonSchema,
});

const MOST_CALENDAR_DAYS = 62;

export const calendarSchema = rangeSchemaOf().refine(
  ({ from, to }) => daysBetween(from, to) < MOST_CALENDAR_DAYS,
  { path: ["to"], message: `Please ask for at most ${MOST_CALENDAR_DAYS} days at once` },
);

const MOST_BUFFER_MINUTES = 120;

const NO_WEEK = "Please send the times of all seven days, or null for the default times";
const BUFFER = `Please enter whole minutes from 0 to ${MOST_BUFFER_MINUTES}`;

/** Empty for a day off. */
const dayTimesSchema = timesSchemaOf(0, NO_WEEK);

const dayFields = Object.fromEntries(WEEKDAYS.map((day) => [day, dayTimesSchema])) as Record<
  Weekday,
  typeof dayTimesSchema
>;

const weekSchema = z
  .strictObject(dayFields, { error: NO_WEEK })
  .refine(
    (week) => WEEKDAYS.some((day) => week[day].length > 0),
    "Please select at least one time in the week, or use the default times",
  );

/** Minutes as a number; a form sends text. */
const minutesSchema = z.preprocess(
  (value) => (typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value),
  z.number({ error: BUFFER }).int(BUFFER).min(0, BUFFER).max(MOST_BUFFER_MINUTES, BUFFER),
);

export const hoursSchema = z.object({
  week: weekSchema.nullable(),
  bufferMinutes: minutesSchema,
  version: versionSchema,
});

/** The form: the ticked times of each day. */
export const hoursFormSchema = z.object({
  ...dayFields,
  /** The days that get Monday's times. */
  copyTo: z.array(z.enum(WEEKDAYS)).max(WEEKDAYS.length),
  bufferMinutes: minutesSchema,
  version: versionSchema,
});

const dateSchema = dateSchemaOf("Please select a date");

const leaveFields = { from: dateSchema, to: dateSchema, reason: reasonSchema };

const isInOrder = ({ from, to }: { from: string; to: string }) => from <= to;
const NOT_IN_ORDER = {
  path: ["to"],
  message: "Please end the leave on or after its first day",
};

/** Without a counselor, or with null, the leave is for all captains. */
export const leaveSchema = z
  .object({
    counselor: z.string({ error: "Please select a captain" }).nullish(),
    ...leaveFields,
  })
  .refine(isInOrder, NOT_IN_ORDER);

/** The form that adds leave to a captain's schedule. */
export const leaveFormSchema = z
  .object({ forAll: z.boolean().optional(), ...leaveFields })
  .refine(isInOrder, NOT_IN_ORDER);

export const leaveIdSchema = z.object({ leaveId: z.string().default("") });

/** The week, with the times of one day copied to others. */
export function copyDay(week: Week, from: Weekday, to: readonly Weekday[]): Week {
  return { ...week, ...Object.fromEntries(to.map((day) => [day, week[from]])) };
}

export const busyCalendarSchema = z.object({
  url: z.string({ error: "Please enter the calendar's private address." }).trim().nullable(),
  version: versionSchema,
});

export const MOST_DATES = 400;

/**
 * The dates from `from` to `to`, both inclusive, or only those on the chosen weekdays (0 is
 * Sunday). Stops after one date more than may be changed at once.
 */
export function expandDates({
  from,
  to,
  weekdays,
}: {
  from: string;
  to: string;
  weekdays?: readonly number[] | undefined;
}): string[] {
  const dates: string[] = [];
  const days = daysBetween(from, to);
  for (let i = 0; i <= days && dates.length <= MOST_DATES; i++) {
    const date = addDays(from, i);
    if (!weekdays?.length || weekdays.includes(weekdayOf(date))) dates.push(date);
  }
  return dates;
}
