/**
 * The fields of the admin's forms and calls, with the seed's messages. No side effects and no
 * catalogue: pages may load this module in the browser.
 */
import { z } from "zod";
import { isCalendarDate } from "#app/lib/dates.ts";
import {
  emailSchema,
  nameSchema,
  notesSchema,
  phoneSchema,
  textSchemaOf,
} from "./booking-fields.ts";

const username = "Username is required";
const password = "Password is required";
const LONGEST_PASSWORD = 200;

/** Six digits of an authenticator app, or a recovery code. */
export const secondFactorSchema = z
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

/** The common list is checked on the server. */
const newPasswordSchema = z
  .string({ error: "Password must be at least 6 characters" })
  .min(6, "Password must be at least 6 characters")
  .max(LONGEST_PASSWORD, "Password must be at most 200 characters");

export const forgotPasswordSchema = z.object({ email: resetEmailSchema });
export const verifyOtpSchema = z.object({ email: resetEmailSchema, otp: otpSchema });
export const resetPasswordSchema = z.object({
  email: resetEmailSchema,
  otp: otpSchema,
  newPassword: newPasswordSchema,
});

/** The page's form repeats the password; the call does not. */
export const confirmedPasswordSchema = z
  .object({ newPassword: newPasswordSchema, confirmPassword: z.string({ error: "" }).default("") })
  .refine((form) => form.newPassword === form.confirmPassword, {
    path: ["confirmPassword"],
    message: "Passwords don't match",
  });

export const changePasswordSchema = z.object({
  currentPassword: z.string({ error: password }).min(1, password).max(LONGEST_PASSWORD, password),
  newPassword: newPasswordSchema,
});

/** The row's version as the form was made; absent: whatever it is now. */
export const versionSchema = z.coerce
  .number({ error: "Please send the version as a number" })
  .int("Please send the version as a number")
  .positive("Please send the version as a number")
  .optional();

export const INVALID_RESCHEDULE = "Please select both date and time slot.";

const rescheduleText = z.string({ error: INVALID_RESCHEDULE }).trim().min(1, INVALID_RESCHEDULE);

export const rescheduleSchema = z.object({
  date: rescheduleText.refine(isCalendarDate, "Please select a date that exists"),
  newTimeSlot: rescheduleText,
  version: versionSchema,
});

export const versionOnlySchema = z.object({ version: versionSchema });

/** A field left out stays as it is; empty notes remove them. */
export const editContactSchema = z.object({
  name: nameSchema.optional(),
  email: emailSchema.optional(),
  phone: phoneSchema.optional(),
  notes: notesSchema.optional(),
  version: versionSchema,
});

export const adminDateSchema = z
  .string({ error: "Date is required" })
  .trim()
  .min(1, "Date is required")
  .refine(isCalendarDate, "Please select a date that exists");

const oneSlot = "At least one time slot must be selected";

export function timeSlotsSchemaOf(times: readonly string[]) {
  return z
    .array(
      z
        .string({ error: oneSlot })
        .refine((slot) => times.includes(slot), "Please select time slots from the list"),
      { error: oneSlot },
    )
    .min(1, oneSlot)
    .max(100, "Please select time slots from the list")
    .transform((slots) => [...new Set(slots)].sort());
}

export const blockActionSchema = z.enum(["block", "unblock"], {
  error: "Please choose block or unblock",
});

export const reasonSchema = textSchemaOf("reason", 200).optional();
