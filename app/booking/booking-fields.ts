/**
 * The booking form's rules and messages, for the page and the JSON API; also loaded in the browser.
 * The operation checks with the catalogue whether a captain or package can be booked.
 */
import { z } from "zod";
import { PACKAGE_MINUTES } from "#app/model/catalogue.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { gstinFault, OUTSIDE_INDIA, PLACES, SAMPLE_GSTIN } from "#app/model/gstin.ts";
import type { Settings } from "#app/model/settings-fields.ts";
import {
  counselorSchema,
  dateSchemaOf,
  emailSchema,
  lineSchemaOf,
  nameSchema,
  textSchemaOf,
} from "#app/model/text.ts";
import { refuseStudent, studentFormFields, studentSchema, withStudent } from "./student-fields.ts";

const phoneMessage = "Phone number must be at least 10 digits";

/** Replaces what pasted numbers contain: other digits, dashes and spaces, invisible characters. */
function pastedPhone(typed: string): string {
  return typed
    .normalize("NFKC")
    .replace(/\p{Cf}|^\s*tel:/giu, "")
    .replace(/\p{Pd}|[·•∙/]/gu, "-")
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
    .replace(/\s+/g, " ");
}

const digitsOf = (phone: string) => phone.replace(/\D/g, "");

/** Normalised to E.164 on the server. */
export const phoneSchema = z
  .string({ error: phoneMessage })
  .overwrite(pastedPhone)
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
export const notesSchema = textSchemaOf("question", 1000);

export const dateSchema = dateSchemaOf("Please select a date");

const stateSchema = z
  .string({ error: "Please select a state from the list" })
  .trim()
  .refine((code) => code === "" || PLACES.has(code), "Please select a state from the list");

/** GSTINs are often copied with spaces or in lower case. */
const gstinSchema = z
  .string({ error: "Please enter the GSTIN as text" })
  .overwrite((gstin) => gstin.replace(/\s/g, "").toUpperCase())
  .superRefine((gstin, context) => {
    const wrong = gstin && gstinFault(gstin);
    if (wrong)
      context.addIssue(
        `This GSTIN ${wrong}. Please copy it from the GST certificate, where it reads like ${SAMPLE_GSTIN}.`,
      );
  });

const COMPANY_FIELDS = {
  gstin: "Please enter the company’s GSTIN, or leave its name and address empty",
  billingName: "Please enter the company’s name as on its GST certificate",
  billingAddress: "Please enter the company’s address as on its GST certificate",
};

const ABROAD_FIELDS = {
  country: "Please enter the country",
  billingAddress: "Please enter the address abroad",
};

const INDIA = /^\s*((republic of )?india|in|ind|bharat|भारत)?\.?\s*$/i;

type Context = Pick<z.RefinementCtx, "addIssue">;

/** Forms ask again about a country abroad beside a state in India: it would be left out. */
export function refuseOtherCountry(input: Partial<Record<string, unknown>>, context: Context) {
  const { gstin, country, state } = input;
  if (gstin || !country || state === OUTSIDE_INDIA || INDIA.test(String(country))) return;
  const message = "Please choose “Outside India” here, or leave the country below empty";
  context.addIssue({ code: "custom", path: ["state"], message });
}

/**
 * An invoice for a company needs all three fields (rule 46(e) CGST), one for a customer abroad
 * address and another country. A GSTIN takes precedence over the state.
 */
function refusePartialAddress(input: Partial<Record<string, unknown>>, context: z.RefinementCtx) {
  const isAbroad = input.state === OUTSIDE_INDIA && !input.gstin;
  const entries = Object.entries(isAbroad ? ABROAD_FIELDS : COMPANY_FIELDS);
  if (!isAbroad && entries.every(([field]) => !input[field])) return;
  for (const [field, message] of entries) {
    if (!input[field]) context.addIssue({ code: "custom", path: [field], message });
  }
  if (isAbroad && input.country && INDIA.test(String(input.country))) {
    const message = "Please enter the country, or choose the state in India";
    context.addIssue({ code: "custom", path: ["country"], message });
  }
}

export const tickedSchema = z.boolean({ error: "Please send true or false" }).optional();

/** Accepts minutes as a number or text. */
export const packageSchema = z
  .union([z.number(), z.string().trim()], { error: "Please select a package" })
  .transform(Number)
  .refine(
    (value) => PACKAGE_MINUTES.some((minutes) => minutes === value),
    "Please select a package",
  );

export const timeSlotSchema = z
  .string({ error: "Please select a time slot" })
  .trim()
  .min(1, "Please select a time slot")
  .refine((slot) => MASTER_TIMES.includes(slot), "Please select a time slot from the list");

export const bookingFormSchema = z
  .object({
    name: nameSchema,
    email: emailSchema,
    phone: phoneSchema,
    counselor: counselorSchema,
    package: packageSchema,
    date: dateSchema,
    timeSlot: timeSlotSchema,
    state: stateSchema.optional(),
    notes: notesSchema.optional(),
    gstin: gstinSchema.optional(),
    billingName: lineSchemaOf("The company’s name", 100, COMPANY_FIELDS.billingName).optional(),
    billingAddress: textSchemaOf("address", 300).optional(),
    country: lineSchemaOf("The country", 60, ABROAD_FIELDS.country).optional(),
    /** Whether WhatsApp messages about the booking may be sent. */
    whatsapp: tickedSchema,
    student: studentSchema.optional(),
  })
  .superRefine(refusePartialAddress, { when: ({ value }) => value instanceof Object });

/** Whether a number begins with the code of another country. */
const isForeign = (phone: string) => /^(\+(?!0|91)|00(?!91))/.test(phone.replace(/[^\d+]/g, ""));

/**
 * Forms ask again about a number that is neither Indian nor begins as a foreign one: with a digit too
 * many it would be a stranger's in another country.
 */
export const askedPhoneSchema = phoneSchema.refine((phone) => {
  const digits = digitsOf(phone).replace(/^0+/, "");
  const hasCountry = digits.length > 10 || /^\s*(\+|00)/.test(phone);
  const national = hasCountry ? digits.replace(/^910?/, "") : digits;
  const isTollFree = /^18\d{9}$/.test(national);
  return isForeign(phone) || national.length === 10 || isTollFree;
}, "An Indian phone number has 10 digits. Outside India, please start with + and the country’s code");

type Residence = { phone?: unknown; state?: unknown; gstin?: unknown };

/** The question for a foreign phone number without a state or GSTIN; null if none is needed. */
export function stateQuestion({ phone, state, gstin }: Residence): string | null {
  if (!isForeign(String(phone ?? "")) || state || gstin) return null;
  return "This phone number is not Indian. Please choose the state in India, or “Outside India”.";
}

/** As the page's form sends it: an unticked checkbox is absent. */
export const bookingPageSchemaOf = (askState: Settings["askState"]) =>
  bookingFormSchema
    .safeExtend({ phone: askedPhoneSchema, noWhatsApp: tickedSchema, ...studentFormFields })
    .superRefine(
      (input, context) => {
        const isOpen = askState === "required" && !input.state && !input.gstin;
        const question = stateQuestion(input) ?? (isOpen ? STATE_REQUIRED : null);
        if (question) context.addIssue({ code: "custom", path: ["state"], message: question });
        refuseOtherCountry(input, context);
        refuseStudent(input, context);
      },
      { when: ({ value }) => value instanceof Object },
    )
    .transform(({ noWhatsApp, ...typed }) => ({
      ...withStudent(typed),
      ...(noWhatsApp && { whatsapp: false }),
    }));

const STATE_REQUIRED = "Please choose your state: your invoice shows its GST";

export type BookingInput = z.output<typeof bookingFormSchema>;

/** A new time of `date`. `day` is chosen without scripts, where its times may not be shown yet. */
export const newTimeFields = {
  date: dateSchema,
  day: dateSchema.optional(),
  newTimeSlot: timeSlotSchema,
};

type NewTimeChosen = z.output<z.ZodObject<typeof newTimeFields>>;

export const isOfDay = ({ date, day = date }: NewTimeChosen) => day === date;

export const NOT_OF_DAY = {
  path: ["newTimeSlot"],
  error: "You have chosen another day. Please choose one of its times",
};
