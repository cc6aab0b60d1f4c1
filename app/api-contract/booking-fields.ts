/**
 * The booking form's rules and messages, without the catalogue: the browser loads this module, and
 * the catalogue holds what is not public (meeting links, the captains' mail addresses).
 */
import { z } from "zod";
import { isCalendarDate, isTimeSlot } from "#app/lib/dates.ts";
import { GST_STATES } from "#app/lib/gst.ts";

// A strict policy refuses to compile code, and zod's very probe for it is reported as a violation.
if (typeof document !== "undefined") z.config({ jitless: true });

/**
 * Control characters, line separators and direction overrides have no place in a name, and would
 * spoil mail headers and documents. Line breaks and tabs may stand in a longer text.
 */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const CONTROL_IN_TEXT = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r]/u;

/** What shows nothing. The joiners stay within a word: letters of Indian scripts are shaped by them. */
const INVISIBLE = /[^\P{DI}\u200c\u200d]/gu;
const JOINER = /(\p{M}[\u200c\u200d]|\p{L}[\u200c\u200d](?=\p{L}))|[\u200c\u200d]/gu;

function visible(name: string): string {
  return name.normalize("NFD").replace(INVISIBLE, "").replace(JOINER, "$1").normalize("NFC");
}

const nameMessage = "Name must be at least 2 characters";
const emailMessage = "Please enter a valid email";
const phoneMessage = "Phone number must be at least 10 digits";

export const nameSchema = z
  .string({ error: nameMessage })
  .trim()
  .refine((name) => !CONTROL.test(name), "Name must not contain control characters")
  .refine((name) => name.isWellFormed(), "Name contains a broken character")
  .overwrite(visible)
  .trim()
  .max(100, "Name must be at most 100 characters")
  .refine((name) => /\p{L}.*\p{L}/u.test(name), nameMessage);

export const emailSchema = z
  .string({ error: emailMessage })
  .trim()
  .max(254, "Email must be at most 254 characters")
  .pipe(z.email({ error: emailMessage }));

const digitsOf = (phone: string) => phone.replace(/\D/g, "");

/** Normalised to E.164 on the server. */
export const phoneSchema = z
  .string({ error: phoneMessage })
  .trim()
  .min(10, phoneMessage)
  .max(32, "Phone number must be at most 32 characters")
  .refine((phone) => digitsOf(phone).length >= 10, phoneMessage)
  .refine((phone) => digitsOf(phone).length <= 15, "Phone number must be at most 15 digits")
  .refine(
    (phone) => !/^(\d)\1+$/.test(digitsOf(phone)),
    "Phone number must not be one digit repeated",
  )
  .refine((phone) => /^[+\d\s().-]+$/.test(phone), "Please enter the phone number in digits");

/** Lines of text; `what` names it in the messages. */
export function textSchemaOf(what: string, most: number) {
  return z
    .string({ error: "Please enter text" })
    .trim()
    .normalize("NFC")
    .max(most, `Please keep the ${what} under ${most} characters`)
    .refine((text) => !CONTROL_IN_TEXT.test(text), `The ${what} contains a control character`)
    .refine((text) => text.isWellFormed(), `The ${what} contains a broken character`);
}

export const notesSchema = textSchemaOf("question", 1000);

export const dateSchema = z
  .string({ error: "Please select a date" })
  .trim()
  .min(1, "Please select a date")
  .refine(isCalendarDate, "Please select a date that exists");

const stateSchema = z
  .string({ error: "Please select a state from the list" })
  .trim()
  .refine((code) => code === "" || GST_STATES.has(code), "Please select a state from the list");

/** What may be chosen. `times` null: any time of day, for a page that leaves the list to the server. */
export interface Choices {
  counselors: readonly string[];
  minutes: readonly number[];
  times: readonly string[] | null;
}

export function counselorSchemaOf({ counselors }: Pick<Choices, "counselors">) {
  return z.enum(counselors as [string, ...string[]], { error: "Please select a counselor" });
}

/** Accepts the minutes as number or text. */
export function packageSchemaOf({ minutes }: Pick<Choices, "minutes">) {
  return z
    .union([z.number(), z.string().trim()], { error: "Please select a package" })
    .transform((value) => (value === "" ? Number.NaN : Number(value)))
    .refine((value) => minutes.includes(value), "Please select a package");
}

export function timeSlotSchemaOf({ times }: Pick<Choices, "times">) {
  return z
    .string({ error: "Please select a time slot" })
    .trim()
    .min(1, "Please select a time slot")
    .refine(
      (slot) => (times ? times.includes(slot) : isTimeSlot(slot)),
      "Please select a time slot from the list",
    );
}

export function bookingFormSchemaOf(choices: Choices) {
  return z.object({
    name: nameSchema,
    email: emailSchema,
    phone: phoneSchema,
    counselor: counselorSchemaOf(choices),
    package: packageSchemaOf(choices),
    date: dateSchema,
    timeSlot: timeSlotSchemaOf(choices),
    state: stateSchema.optional(),
    notes: notesSchema.optional(),
  });
}

export type BookingInput = z.output<ReturnType<typeof bookingFormSchemaOf>>;
