/** The fields of the forms with which customers find, move and cancel a booking. No side effects. */
import { z } from "zod";
import { emailSchema } from "#app/model/text.ts";
import { versionSchema } from "#app/model/version-field.ts";
import { dateSchema, timeSlotSchema } from "./booking-fields.ts";

const NO_EMAIL = "Please enter the email address of this booking";

/** Compared with the booking's; what is no address is a wrong one. */
const ownerEmailSchema = z.string({ error: NO_EMAIL }).trim().min(1, NO_EMAIL);

export const cancelOwnSchema = z.object({ email: ownerEmailSchema, version: versionSchema });

export const moveOwnSchema = z.object({
  date: dateSchema,
  newTimeSlot: timeSlotSchema,
  email: ownerEmailSchema,
  version: versionSchema,
});

export const findBookingSchema = z.object({ email: emailSchema });
