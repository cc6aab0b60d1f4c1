/** JSON of stored rows; `instead` where there is none, or one of the wrong shape, which is reported. */
import { z } from "zod";
import { isTimeSlot } from "./dates.ts";
import { WEEKDAYS, type Week } from "./day-plan.ts";
import { tellUnknown } from "./unknown-code.ts";

export function storedJson<T>(
  column: string,
  text: string | null,
  schema: z.ZodType<T>,
  instead: T,
): T {
  if (text === null) return instead;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    tellUnknown(column);
    return instead;
  }
}

export const anyObject = z.record(z.string(), z.unknown());

const timesSchema = z.array(z.string().refine(isTimeSlot));

/** Times of a day; none if they cannot be read, for they may have been taken off. */
export function storedTimes(text: string, column = "availability.time_slots"): string[] {
  return storedJson(column, text, timesSchema, []);
}

const weekSchema = z.record(z.enum(WEEKDAYS), timesSchema);
const NO_TIMES = Object.fromEntries(WEEKDAYS.map((day) => [day, []])) as unknown as Week;

/** Weekly hours; none at all if they cannot be read. */
export function storedWeek(text: string): Week {
  return storedJson("weekly_hours.week", text, weekSchema, NO_TIMES);
}
