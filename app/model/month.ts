import { z } from "zod";
import { addDays, formatLongDay } from "./dates.ts";

export interface Month {
  /** `yyyy-MM` */
  value: string;
  /** Calendar dates, both inclusive. */
  from: string;
  to: string;
}

const FAULT = "Please choose a month, for example 2026-11.";

/** A month of this century, as a call or page asks for it. */
export const monthSchema = z.object({
  month: z
    .string(FAULT)
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, FAULT)
    .transform(monthOf),
});

/** The accountant's papers of a month: the workbook, or its journal alone. */
export const papersSchema = monthSchema.extend({
  format: z.enum(["xlsx", "csv"], "Please choose xlsx or csv.").optional(),
});

/** Of a date, or of `yyyy-MM`. */
export function monthOf(date: string): Month {
  const value = date.slice(0, 7);
  return { value, from: `${value}-01`, to: addDays(`${nextMonth(value)}-01`, -1) };
}

export function nextMonth(month: string): string {
  return addDays(`${month}-28`, 4).slice(0, 7);
}

/** `2026-11` → `November 2026`. */
export function formatMonth(month: string): string {
  return formatLongDay(`${month}-01`).replace(/^\w+, 1 /, "");
}
