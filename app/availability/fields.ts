/** What the forms and calls that set and block times hold. */
import { z } from "zod";
import { isCalendarDate } from "#app/model/dates.ts";
import { textSchemaOf } from "#app/model/text.ts";

export const adminDateSchema = z
  .string({ error: "Date is required" })
  .trim()
  .min(1, "Date is required")
  // No rule of a range is asked about a date that is none.
  .refine(isCalendarDate, { error: "Please select a date that exists", abort: true });

export const blockActionSchema = z.enum(["block", "unblock"], {
  error: "Please choose block or unblock",
});

export const reasonSchema = textSchemaOf("reason", 200).optional();
