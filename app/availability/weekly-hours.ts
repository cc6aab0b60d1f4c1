/** Weekly hours and leave: what their forms and calls hold, and the pure rules of a week. */
import { z } from "zod";
import { isCalendarDate } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/time-slot.ts";
import { versionSchema } from "#app/model/version-field.ts";
import { WEEKDAYS, type Week, type Weekday } from "#app/model/week.ts";
import { reasonSchema } from "./fields.ts";

const MOST_BUFFER_MINUTES = 120;

const NO_WEEK = "Please send the times of all seven days, or null for the default times";
const NOT_ON_LIST = "Please select time slots from the list";
const BUFFER = `Please enter whole minutes from 0 to ${MOST_BUFFER_MINUTES}`;

/** A day off has no times. */
const dayTimesSchema = z
  .array(
    z.string({ error: NO_WEEK }).refine((time) => MASTER_TIMES.includes(time), NOT_ON_LIST),
    { error: NO_WEEK },
  )
  .max(100, NOT_ON_LIST)
  .transform((times) => [...new Set(times)].sort());

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

/** A form sends text. */
const minutesSchema = z.preprocess(
  (value) => (typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value),
  z.number({ error: BUFFER }).int(BUFFER).min(0, BUFFER).max(MOST_BUFFER_MINUTES, BUFFER),
);

export const hoursSchema = z.object({
  week: weekSchema.nullable(),
  bufferMinutes: minutesSchema,
  version: versionSchema,
});

/** The form: a list of ticked times for each day, none where no box of a day is ticked. */
export const hoursFormSchema = z.object({
  ...dayFields,
  /** The days that get Monday's times. */
  copyTo: z.array(z.enum(WEEKDAYS)).max(WEEKDAYS.length),
  bufferMinutes: minutesSchema,
  version: versionSchema,
});

const dateSchema = z
  .string({ error: "Please select a date" })
  .trim()
  .min(1, "Please select a date")
  .refine(isCalendarDate, "Please select a date that exists");

const leaveFields = { from: dateSchema, to: dateSchema, reason: reasonSchema };

const endsInOrder = ({ from, to }: { from: string; to: string }) => from <= to;
const ORDER_FAULT = {
  path: ["to"],
  message: "Please end the leave on or after its first day",
};

/** Without a counselor, or with null as it is answered, it is a holiday of all. */
export const leaveSchema = z
  .object({
    counselor: z.string({ error: "Please select a counselor" }).nullish(),
    ...leaveFields,
  })
  .refine(endsInOrder, ORDER_FAULT);

/** The form that adds leave to a captain's schedule. */
export const leaveFormSchema = z
  .object({ forAll: z.boolean().optional(), ...leaveFields })
  .refine(endsInOrder, ORDER_FAULT);

export const leaveIdSchema = z.object({ leaveId: z.string().default("") });

/** The week with the times of one day on others too. */
export function copyDay(week: Week, from: Weekday, to: readonly Weekday[]): Week {
  return { ...week, ...Object.fromEntries(to.map((day) => [day, week[from]])) };
}
