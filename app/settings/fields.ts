/** Schemas of the form and the call that change settings. Fields left out stay. */
import { z } from "zod";
import { rowsSchemaOf, versionSchema } from "#app/model/fields.ts";
import { ASK_STATE, LONGEST, MOST_QUESTIONS } from "#app/model/settings.ts";
import { emailSchema, lineSchemaOf, textSchemaOf } from "#app/model/text.ts";

const filled = (what: string, most: number) =>
  lineSchemaOf(what, most, `Please enter the ${what.toLowerCase()}`).min(
    1,
    `Please enter the ${what.toLowerCase()}`,
  );

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
    question: filled("Question", LONGEST.question),
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
    brand: filled("Brand", LONGEST.brand),
    tagline: filled("Tagline", LONGEST.tagline),
    accent: z
      .string({ error: ACCENT })
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, ACCENT),
    /** Null removes it; a new one is uploaded separately. */
    logo: z.null({ error: "Please upload the logo, or send null to remove it" }),
    businessName: filled("Legal name", LONGEST.name),
    businessAddress: filled("Address", LONGEST.address),
    businessState: filled("State", 2),
    businessGstin: orNone(lineSchemaOf("GSTIN", 15, "Please enter the GSTIN").toUpperCase()),
    businessCin: orNone(lineSchemaOf("CIN or LLPIN", 21, "Please enter the CIN").toUpperCase()),
    businessSac: filled("SAC", 8),
    businessEmail: emailSchema,
    businessPhone: orNone(lineSchemaOf("Phone", 32, "Please enter the phone number")),
    grievanceContact: filled("Grievance contact", LONGEST.contact),
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
