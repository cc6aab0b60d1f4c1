/** What the forms about a customer may hold. */
import { z } from "zod";
import { emailSchema } from "#app/model/text.ts";

export const moveBookingsSchema = z.object({
  email: emailSchema,
  bookings: z.array(z.string(), "Please choose at least one booking").min(1),
});
