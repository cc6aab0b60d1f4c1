/** The fields of the forms and calls of sign-in, account, reset and team. */
import { z } from "zod";
import { ROLES, SHORTEST_PASSWORD, SHORTEST_RESET_PASSWORD } from "#app/model/actor.ts";
import { emailSchema, lineSchemaOf } from "#app/model/text.ts";

const username = "Username is required";

const password = "Password is required";

export const LONGEST_PASSWORD = 200;

/** Six digits of an authenticator app, or a recovery code. */
const secondFactorSchema = z
  .string({ error: "Please enter the code" })
  .trim()
  .max(40, "This is not a code");

export const loginSchema = z.object({
  username: z.string({ error: username }).trim().min(1, username).max(100, "Username is too long"),
  password: z
    .string({ error: password })
    .min(1, password)
    .max(LONGEST_PASSWORD, "Password is too long"),
  totp: secondFactorSchema.optional(),
});

const resetEmailSchema = z
  .string({ error: "Please enter a valid email address" })
  .trim()
  .max(254, "Please enter a valid email address")
  .pipe(z.email({ error: "Please enter a valid email address" }));

const otpSchema = z
  .string({ error: "OTP must be 6 digits" })
  .trim()
  .regex(/^\d{6}$/, "OTP must be 6 digits");

/** Weak passwords are refused in password.server.ts. */
const newPasswordSchemaOf = (least: number) =>
  z
    .string({ error: `Password must be at least ${least} characters` })
    .min(least, `Password must be at least ${least} characters`)
    .max(LONGEST_PASSWORD, "Password must be at most 200 characters");

const resetNewPasswordSchema = newPasswordSchemaOf(SHORTEST_RESET_PASSWORD);

export const forgotPasswordSchema = z.object({ email: resetEmailSchema });

export const verifyOtpSchema = z.object({ email: resetEmailSchema, otp: otpSchema });

export const resetPasswordSchema = z.object({
  email: resetEmailSchema,
  otp: otpSchema,
  newPassword: resetNewPasswordSchema,
});

const confirmPassword = z.string({ error: "" }).default("");
const isTypedTwice = (form: { newPassword: string; confirmPassword: string }) =>
  form.newPassword === form.confirmPassword;
const MISMATCH = { path: ["confirmPassword"], message: "Passwords don't match" };

/** The page's forms repeat the password; the calls do not. */
const confirmed = (newPassword: typeof resetNewPasswordSchema) =>
  z.object({ newPassword, confirmPassword }).refine(isTypedTwice, MISMATCH);

export const confirmedResetSchema = confirmed(resetNewPasswordSchema);
export const confirmedPasswordSchema = confirmed(newPasswordSchemaOf(SHORTEST_PASSWORD));

/** The password is asked for again before an important change. */
export const currentPasswordSchema = z.object({
  currentPassword: z.string({ error: password }).min(1, password).max(LONGEST_PASSWORD, password),
});

export const changePasswordSchema = currentPasswordSchema
  .extend({ newPassword: newPasswordSchemaOf(SHORTEST_PASSWORD), confirmPassword })
  .refine(isTypedTwice, {
    ...MISMATCH,
    // Checked even if the current password is invalid.
    when: ({ issues }) => issues.every(({ path }) => path?.[0] === "currentPassword"),
  });

export const passwordAndCodeSchema = currentPasswordSchema.extend({ totp: secondFactorSchema });

const USERNAME =
  "Please enter a username of the letters a to z, digits, dots, hyphens or underscores";

/** Actors in the activity log that are not accounts; no account may have their names. */
const RESERVED = new Set(["customer", "system", "unknown"]);

/** ASCII, which the database compares case-insensitively. Paths in `.data` are React Router's. */
const usernameSchema = lineSchemaOf("The username", 100, USERNAME)
  .regex(/^[a-z0-9][\w.@-]*$/i, USERNAME)
  .refine((name) => !name.toLowerCase().endsWith(".data"), "A username cannot end in .data")
  .refine((name) => !RESERVED.has(name.toLowerCase()), "This name is the program's own");

const roleSchema = z.enum(ROLES, { error: "Please select a role: owner, staff or captain" });

/** A captain's name; empty or null means none. */
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

/** Fields left out stay. */
export const changeAccountSchema = z.object({
  role: roleSchema.optional(),
  counselor: counselorSchema,
  active: z.boolean({ error: "Please send true or false" }).optional(),
});
