/** What the forms and calls hold about what comes after a session. Pages may load this module. */
import { z } from "zod";
import { isOfDay, NOT_OF_DAY, newTimeFields } from "#app/booking/booking-fields.ts";
import { HIDDEN_REASONS } from "#app/model/after-session.ts";
import { versionSchemaOf } from "#app/model/fields.ts";
import { textSchemaOf } from "#app/model/text.ts";

export const LONGEST_PLAN = 5000;

export const planSchema = z.object({
  text: textSchemaOf("plan", LONGEST_PLAN).min(1, "Please write the plan"),
  /** Mails it, also where it was mailed before. */
  send: z.boolean({ error: "Please send true or false" }).optional(),
  /** 0: there was no plan when the form was made; absent: it does not matter. */
  version: versionSchemaOf(0),
});

const hiddenReason = (error: string) => z.enum(HIDDEN_REASONS, { error });

export const hiddenSchema = z.object({
  hidden: hiddenReason("Please send private_data, abuse, not_about_session or null").nullable(),
});

/** The owner's forms: one hides with a reason, the other shows again. */
export const hideFormSchema = z.object({
  rating: z.string().default(""),
  hidden: hiddenReason("Please choose a reason"),
});

export const showFormSchema = z.object({ rating: z.string().default("") });

const STARS = "Please choose from one to five";

export const ratingSchema = z.object({
  stars: z.coerce.number({ error: STARS }).int(STARS).min(1, STARS).max(5, STARS),
  text: textSchemaOf("text", 600).default(""),
  shown: z.string().optional(),
});

/** What a customer says whose captain is not there, and asks for after that. */
export const helpSchema = z.discriminatedUnion("asks", [
  z.object({ asks: z.literal("call") }),
  z.object({ asks: z.literal("refund") }),
  z
    .object({ asks: z.literal("move"), ...newTimeFields })
    .refine(isOfDay, NOT_OF_DAY)
    .transform(({ newTimeSlot: timeSlot, day: _, ...rest }) => ({ ...rest, timeSlot })),
]);
