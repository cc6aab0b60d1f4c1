/** What the forms and calls that set and block times hold. */
import { z } from "zod";
import { isCalendarDate } from "#app/model/dates.ts";
import { textSchemaOf } from "#app/model/text.ts";

export const adminDateSchema = z
  .string({ error: "Date is required" })
  .trim()
  .min(1, "Date is required")
  .refine(isCalendarDate, "Please select a date that exists");

const oneSlot = "At least one time slot must be selected";

export function timeSlotsSchemaOf(times: readonly string[]) {
  return z
    .array(
      z
        .string({ error: oneSlot })
        .refine((slot) => times.includes(slot), "Please select time slots from the list"),
      { error: oneSlot },
    )
    .min(1, oneSlot)
    .max(100, "Please select time slots from the list")
    .transform((slots) => [...new Set(slots)].sort());
}

export const blockActionSchema = z.enum(["block", "unblock"], {
  error: "Please choose block or unblock",
});

export const reasonSchema = textSchemaOf("reason", 200).optional();
