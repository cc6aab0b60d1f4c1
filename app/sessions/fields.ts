/** What the forms and calls hold about what comes after a session. Pages may load this module. */
import { z } from "zod";
import { versionSchema } from "#app/model/fields.ts";
import { textSchemaOf } from "#app/model/text.ts";

/** Forms send two characters for the end of a line, which people count as one. */
function longTextOf(what: string, most: number) {
  const oneEnd = (text: unknown) =>
    typeof text === "string" ? text.replaceAll("\r\n", "\n") : text;
  return z.preprocess(oneEnd, textSchemaOf(what, most).min(1, `Please write the ${what}`));
}

export const LONGEST_PLAN = 5000;

export const planSchema = z.object({
  text: longTextOf("plan", LONGEST_PLAN),
  /** Mails it, also where it was mailed before. */
  send: z.boolean({ error: "Please send true or false" }).optional(),
  version: versionSchema,
});
