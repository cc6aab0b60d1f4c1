/** What the call and the form of a captain's busy calendar may hold. */
import { z } from "zod";
import { versionSchema } from "#app/model/version-field.ts";

export const busyCalendarSchema = z.object({
  url: z.string({ error: "Please enter the calendar's private address." }).trim().nullable(),
  version: versionSchema,
});
