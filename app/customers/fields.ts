/** Schemas of the forms about a customer. */
import { z } from "zod";
import { emailSchema } from "#app/model/text.ts";

const MOST_MOVED = 200;

export const moveBookingsSchema = z.object({
  email: emailSchema,
  bookings: z
    .array(z.string(), "Please choose at least one booking")
    .min(1, "Please choose at least one booking")
    .max(MOST_MOVED, `Please choose at most ${MOST_MOVED} bookings at once`),
});
