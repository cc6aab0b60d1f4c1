/** Schemas of the form and the call that change settings. Fields left out stay. */
import { z } from "zod";
import { rowsSchemaOf, versionSchema } from "#app/model/fields.ts";
import { ASK_STATE, LONGEST, MOST_QUESTIONS, type Rule, SETTINGS } from "#app/model/settings.ts";
import { emailSchema, lineSchemaOf, textSchemaOf } from "#app/model/text.ts";

const line = ([what, , most]: Required<Rule>, missing: string) => lineSchemaOf(what, most, missing);

function filled(rule: Required<Rule>) {
  const missing = `Please enter the ${rule[0].toLowerCase()}`;
  return line(rule, missing).min(1, missing);
}

/** Empty and null mean none. */
const orNone = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === "" ? null : value), schema.nullable());

/** Above every sensible value, and low enough to keep dates valid. */
const LARGEST = 1_000_000;

function number(what: string) {
  const error = `Please enter ${what} as a number`;
  return z.preprocess(
    (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
    z.number({ error }).max(LARGEST, `Please enter ${what} as a number up to 1,000,000`),
  );
}

const ACCENT = "Please enter the colour as # and six digits, for example #005bbf";

const questionSchema = z.object(
  {
    question: filled(["Question", null, LONGEST.question]),
    answer: textSchemaOf("answer", LONGEST.answer).min(
      1,
      "Please enter an answer to each question",
    ),
  },
  { error: "Please send each question with its answer" },
);

/** Checks shapes only; the operation applies the rules of the variables. */
export const settingsSchema = z
  .object({
    brand: filled(SETTINGS.brand),
    tagline: filled(SETTINGS.tagline),
    accent: z
      .string({ error: ACCENT })
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, ACCENT),
    /** Null removes it; a new one is uploaded separately. */
    logo: z.null({ error: "Please upload the logo, or send null to remove it" }),
    businessName: filled(SETTINGS.businessName),
    businessAddress: filled(SETTINGS.businessAddress),
    businessState: filled(SETTINGS.businessState),
    businessGstin: orNone(line(SETTINGS.businessGstin, "Please enter the GSTIN").toUpperCase()),
    businessCin: orNone(line(SETTINGS.businessCin, "Please enter the CIN").toUpperCase()),
    businessSac: filled(SETTINGS.businessSac),
    businessEmail: emailSchema,
    businessPhone: orNone(line(SETTINGS.businessPhone, "Please enter the phone number")),
    grievanceContact: filled(SETTINGS.grievanceContact),
    minNoticeMinutes: number("the shortest notice"),
    bookingWindowDays: number("how far ahead people book"),
    paymentWindowSeconds: number("the time to start paying"),
    holdSeconds: number("the time that is held"),
    selfServiceCutoffHours: number("the hours of the last change"),
    retentionUnpaidDays: number("the days that unpaid bookings are kept"),
    askState: z.enum(ASK_STATE, { error: "Please choose whether the state is asked for" }),
    faq: rowsSchemaOf(
      questionSchema,
      "Please send the questions as a list",
      MOST_QUESTIONS,
      `Please enter at most ${MOST_QUESTIONS} questions`,
    ),
  })
  .partial()
  .extend({ version: versionSchema });

export type SettingsChange = z.output<typeof settingsSchema>;
