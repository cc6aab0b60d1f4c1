/**
 * Schemas of forms and API calls that change or find an appointment, by staff or its customer, and of
 * those with which staff book for a customer. Also loaded in the browser.
 */
import { z } from "zod";
import { instantOf, isCalendarDate } from "#app/model/dates.ts";
import { versionSchema } from "#app/model/fields.ts";
import { ATTENDANCES, OFFLINE_METHODS } from "#app/model/statuses.ts";
import { emailSchema, lineSchemaOf, nameSchema, textSchemaOf } from "#app/model/text.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import {
  askedPhoneSchema,
  bookingFormSchema,
  isOfDay,
  NOT_OF_DAY,
  newTimeFields,
  notesSchema,
  phoneSchema,
  refuseOtherCountry,
  stateQuestion,
  tickedSchema,
} from "./booking-fields.ts";
import { correctedStudentSchema, studentNameSchema, studentTyped } from "./student-fields.ts";

export const INVALID_RESCHEDULE = "Please select both date and time slot.";

const rescheduleText = z.string({ error: INVALID_RESCHEDULE }).trim().min(1, INVALID_RESCHEDULE);

export const rescheduleSchema = z.object({
  date: rescheduleText.refine(isCalendarDate, "Please select a date that exists"),
  newTimeSlot: rescheduleText,
  counselor: z.string({ error: "Please select a captain" }).optional(),
  override: tickedSchema,
  version: versionSchema,
});

/** `resend` is the id of a message, `refund` of a refund. */
export const sendAgainSchema = z.object({
  resend: z.string().optional(),
  /** How often the message had been sent again when the form was rendered. */
  sends: z.coerce.number().int().optional(),
  refund: z.string().optional(),
});

/** The captain whose calendar gets a new address. */
export const feedAddressSchema = z.object({ counselor: z.string().default("") });

export const versionOnlySchema = z.object({ version: versionSchema });

/** Null clears the attendance. */
export const attendanceSchema = z.object({
  attendance: z.enum(ATTENDANCES, { error: "Please send completed, no_show or null" }).nullable(),
  version: versionSchema,
});

const staffNoteSchema = textSchemaOf("staff note", 2000);

/** A field left out stays as it is; empty notes are removed. */
export const editContactSchema = z.object({
  name: nameSchema.optional(),
  email: emailSchema.optional(),
  phone: phoneSchema.optional(),
  notes: notesSchema.optional(),
  student: correctedStudentSchema.optional(),
  staffNote: staffNoteSchema.optional(),
  version: versionSchema,
});

const AGES = ["under18", "adult"] as const;

/** As the form sends it, with a flat `studentName` and `studentAge`. */
export const editContactFormSchema = editContactSchema
  .omit({ student: true })
  .extend({ studentName: studentNameSchema.optional(), studentAge: z.enum(AGES).optional() })
  .transform(({ studentName: name, studentAge: age, ...fields }) => ({
    ...fields,
    ...(name && { student: { name, under18: age && age === "under18" } }),
  }));

/** What a captain may edit. */
export const noteOnlySchema = editContactSchema.pick({ staffNote: true, version: true });

/** Why money is refunded or a session cancelled; the customer reads it. */
const reasonSchema = lineSchemaOf("The reason", 200, "Please enter the reason as text");

const DEADLINE = "Please enter a date and a time until when the link can be paid";

/** A text without an offset is wall-clock time in India, as the form sends it. */
const instantSchema = z
  .string({ error: DEADLINE })
  .trim()
  .transform((text, context) => {
    const [date = "", time = ""] = text.split("T");
    const isLocal = /^\d\d:\d\d(:00)?$/.test(time) && isCalendarDate(date);
    const instant = isLocal ? instantOf(date, time.slice(0, 5)) : Date.parse(text);
    if (instant > 0 && (isLocal || (isCalendarDate(date) && /(Z|[+-]\d\d:?\d\d)$/.test(time)))) {
      return instant;
    }
    context.addIssue(DEADLINE);
    return z.NEVER;
  });

/** A receipt number, the bank's reference or a card terminal's slip number. */
const referenceSchema = lineSchemaOf("The reference", 100, "Please enter the reference as text");

const offlineFields = {
  method: z.enum(OFFLINE_METHODS, { error: "Please select how it was paid" }),
  reference: referenceSchema.optional(),
  /** Date in India on which the money came in; today if absent. The operation checks it. */
  receivedOn: z
    .string({ error: "Please select the date on which the money came in" })
    .trim()
    .optional(),
};

/** Holds an unpaid booking again until `payBefore`, by default as long as a new payment link. */
export const holdAgainSchema = z.object({
  // The form sends an empty string if no time is chosen.
  payBefore: z.preprocess((typed) => (typed === "" ? undefined : typed), instantSchema.optional()),
  version: versionSchema,
});

export type HoldAgain = z.output<typeof holdAgainSchema>;

export type OfflinePayment = z.output<z.ZodObject<typeof offlineFields>>;

export const offlinePaymentSchema = z.object({ ...offlineFields, version: versionSchema });

const paymentSchema = z.discriminatedUnion(
  "by",
  [
    z.object({ by: z.literal("link"), payBefore: instantSchema.optional() }),
    z.object({ by: z.literal("offline"), ...offlineFields }),
  ],
  { error: "Please select how the booking is paid" },
);

export const staffBookingSchema = bookingFormSchema.safeExtend({
  staffNote: staffNoteSchema.optional(),
  payment: paymentSchema,
  /** True if staff override buffer, leave and imported busy times. */
  override: tickedSchema,
  /** True if staff read the notice to the customer. */
  noticeRead: tickedSchema,
});

export type StaffBooking = z.output<typeof staffBookingSchema>;

/** The form's names of fields that the API nests. */
const formFields = lookUp<string, string>({
  packagePrice: "package",
  payment: "payBefore",
  "payment.by": "payBy",
  "payment.payBefore": "payBefore",
  "payment.method": "method",
  "payment.reference": "reference",
  "payment.receivedOn": "receivedOn",
  "student.name": "studentName",
  "student.relation": "relation",
});

export function formFieldOf(path: string): string {
  return formFields(path) ?? path;
}

const CHECKBOXES = ["override", "noticeRead", "whatsapp"] as const;

/** As the form sends it: flat, empty where nothing is given; an unticked checkbox is absent. */
export const staffBookingFormSchema = z
  .record(z.string(), z.unknown())
  .transform((typed, context): StaffBooking => {
    const { payBy: by, payBefore, method, reference, receivedOn, ...fields } = typed;
    const payment =
      by === "link"
        ? { by, payBefore: payBefore || undefined }
        : { by, method, reference, receivedOn };
    const ticked = CHECKBOXES.map((name) => [name, fields[name] === undefined ? undefined : true]);
    const read = staffBookingSchema.safeExtend({ phone: askedPhoneSchema }).safeParse({
      ...fields,
      ...Object.fromEntries(ticked),
      payment,
      student: studentTyped(fields),
    });
    const question = stateQuestion(fields);
    if (question) context.addIssue({ code: "custom", message: question, path: ["state"] });
    refuseOtherCountry(fields, context);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: "custom", message, path: [formFieldOf(path.join("."))] });
    }
    return z.NEVER;
  });

const AMOUNT = "Please enter an amount in rupees with at most two decimals, such as 500 or 499.50";

/** Accepts rupees as a number or text; returns paise. */
const rupeesSchema = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,7}(\.\d{1,2})?$/, AMOUNT),
    ],
    { error: AMOUNT },
  )
  .transform(Number)
  .refine((rupees) => Math.abs(rupees * 100 - Math.round(rupees * 100)) < 1e-6, AMOUNT)
  .transform((rupees) => Math.round(rupees * 100));

export const refundSchema = z.object({
  amount: rupeesSchema,
  reason: lineSchemaOf("The reason", 200, "Please say why; the customer reads it").min(
    1,
    "Please say why; the customer reads it",
  ),
  version: versionSchema,
});

const amountTextSchema = z.string({ error: AMOUNT }).default("");

/** The form's `amount` in paise; adds an issue if it is invalid. */
function paiseOf(text: string, context: z.core.$RefinementCtx): number {
  const paise = rupeesSchema.safeParse(text);
  if (paise.success) return paise.data;
  context.addIssue({ code: "custom", message: AMOUNT, path: ["amount"] });
  return z.NEVER;
}

/** `share` is an amount in rupees that the form offers, or `part` to refund `amount`. */
export const refundFormSchema = z
  .object({ ...refundSchema.shape, share: z.string().default("part"), amount: amountTextSchema })
  .transform(({ share, amount, ...fields }, context) => ({
    ...fields,
    amount: paiseOf(share === "part" ? amount : share, context),
  }));

export const cancelSchema = z.object({
  by: z.enum(["business", "customer"], { error: "Please select who cancels" }).default("business"),
  reason: reasonSchema.optional(),
  refund: z
    .union([z.enum(["full", "none"]), z.object({ amount: rupeesSchema })], {
      error: "Please select how much goes back",
    })
    .default("full"),
  version: versionSchema,
});

export type CancelRequest = z.output<typeof cancelSchema>;

/** The refund is asked for only if the customer cancels; the business always refunds in full. */
export const cancelFormSchema = z
  .object({
    ...cancelSchema.shape,
    refund: z
      .enum(["full", "part", "none"], { error: "Please select how much goes back" })
      .default("full"),
    amount: amountTextSchema,
  })
  .transform(({ amount, refund, ...fields }, context): CancelRequest => {
    if (fields.by === "business") return { ...fields, refund: "full" };
    if (refund !== "part") return { ...fields, refund };
    return { ...fields, refund: { amount: paiseOf(amount, context) } };
  });

export const settleSchema = z.object({ reference: referenceSchema.optional() });

// The forms with which customers find, move and cancel a booking.

const NO_EMAIL = "Please enter the email address of this booking";

/** Only compared with the booking's address, so an invalid address is just a wrong one. */
const ownerEmailSchema = z.string({ error: NO_EMAIL }).trim().min(1, NO_EMAIL);

export const cancelOwnSchema = z.object({ email: ownerEmailSchema, version: versionSchema });

export const openOwnSchema = z.object({ email: ownerEmailSchema });

export const moveOwnSchema = z
  .object({ ...newTimeFields, email: ownerEmailSchema, version: versionSchema })
  .refine(isOfDay, NOT_OF_DAY);

export const findBookingSchema = z
  .object({ email: emailSchema.optional(), phone: phoneSchema.optional() })
  .refine(({ email, phone }) => email ?? phone, {
    error: "Please enter the email address or the phone number you booked with",
    path: ["email"],
  });
