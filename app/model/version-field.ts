import { z } from "zod";

/** The row's version as the form was made; absent: whatever it is now. */
export const versionSchema = z.coerce
  .number({ error: "Please send the version as a number" })
  .int("Please send the version as a number")
  .positive("Please send the version as a number")
  .optional();
