/** The fields of the team's forms and calls. */
import { z } from "zod";
import { ROLES } from "#app/model/actor.ts";
import { emailSchema, lineSchemaOf } from "#app/model/text.ts";

const USERNAME =
  "Please enter a username of the letters a to z, digits, dots, hyphens or underscores";

/** Of whom the activity log speaks that are no account. */
const TAKEN = new Set(["customer", "system", "unknown"]);

/** ASCII, which the database compares without case; `.data` at the end of a path is the framework's. */
const usernameSchema = lineSchemaOf("The username", 100, USERNAME)
  .regex(/^[a-z0-9][\w.@-]*$/i, USERNAME)
  .refine((name) => !name.toLowerCase().endsWith(".data"), "A username cannot end in .data")
  .refine((name) => !TAKEN.has(name.toLowerCase()), "This name is the program's own");

const roleSchema = z.enum(ROLES, { error: "Please select a role: owner, staff or captain" });

/** A captain by name; empty or null is none. */
const counselorSchema = z
  .string({ error: "Please select a captain" })
  .trim()
  .nullish()
  .transform((name) => name || undefined);

export const inviteSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  role: roleSchema,
  counselor: counselorSchema,
});

/** What is absent stays. */
export const changeAccountSchema = z.object({
  role: roleSchema.optional(),
  counselor: counselorSchema,
  active: z.boolean({ error: "Please send true or false" }).optional(),
});
