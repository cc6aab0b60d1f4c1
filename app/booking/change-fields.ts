/**
 * The fields of the admin's forms and calls, with the seed's messages. No side effects and no
 * catalogue: pages may load this module in the browser.
 */
import { z } from "zod";
import { isCalendarDate } from "#app/model/dates.ts";
import { ATTENDANCES } from "#app/model/statuses.ts";
import { emailSchema, nameSchema, textSchemaOf } from "#app/model/text.ts";
import { versionSchema } from "#app/model/version-field.ts";
import { notesSchema, phoneSchema } from "./booking-fields.ts";

export const INVALID_RESCHEDULE = "Please select both date and time slot.";

const rescheduleText = z.string({ error: INVALID_RESCHEDULE }).trim().min(1, INVALID_RESCHEDULE);

export const rescheduleSchema = z.object({
  date: rescheduleText.refine(isCalendarDate, "Please select a date that exists"),
  newTimeSlot: rescheduleText,
  counselor: z.string({ error: "Please select a counselor" }).optional(),
  override: z.boolean({ error: "Please send true or false" }).optional(),
  version: versionSchema,
});

/** Of a message or of a refund, by id. */
export const sendAgainSchema = z.object({
  resend: z.string().optional(),
  /** How often it was sent again before. */
  sends: z.coerce.number().int().optional(),
  refund: z.string().optional(),
});

/** The captain whose calendar gets a new address. */
export const feedAddressSchema = z.object({ counselor: z.string().default("") });

export const versionOnlySchema = z.object({ version: versionSchema });

/** Null: nothing is known. */
export const attendanceSchema = z.object({
  attendance: z.enum(ATTENDANCES, { error: "Please send completed, no_show or null" }).nullable(),
  version: versionSchema,
});

export const staffNoteSchema = textSchemaOf("staff note", 2000);

/** A field left out stays as it is; empty notes remove them. */
export const editContactSchema = z.object({
  name: nameSchema.optional(),
  email: emailSchema.optional(),
  phone: phoneSchema.optional(),
  notes: notesSchema.optional(),
  staffNote: staffNoteSchema.optional(),
  version: versionSchema,
});

/** What a captain may write. */
export const noteOnlySchema = editContactSchema.pick({ staffNote: true, version: true });
