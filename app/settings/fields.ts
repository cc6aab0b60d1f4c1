/** What the form and the call that change settings hold. A field left out stays as it is. */
import { z } from "zod";
import { versionSchema } from "#app/model/fields.ts";
import { ASK_STATE, LONGEST, MOST_QUESTIONS } from "#app/model/settings.ts";
import { emailSchema, lineSchemaOf, textSchemaOf } from "#app/model/text.ts";

const filled = (what: string, most: number) =>
  lineSchemaOf(what, most, `Please enter the ${what.toLowerCase()}`).min(
    1,
    `Please enter the ${what.toLowerCase()}`,
  );

/** Empty and null are none. */
const orNone = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === "" ? null : value), schema.nullable());

/** Above every sensible value, so that no instant leaves the calendar. */
const LARGEST = 1_000_000;

function number(what: string) {
  const error = `Please enter ${what} as a number`;
  return z.preprocess(
    (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
    z.number({ error }).max(LARGEST, `Please enter ${what} as a number up to 1,000,000`),
  );
}

const ACCENT = "Please enter the colour as # and six digits, for example #005bbf";

const isEmptyRow = (row: unknown) =>
  row instanceof Object && !Object.values(row).some((text) => String(text ?? "").trim());

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

/** Shapes alone: what a variable demands of the same value is asked by the operation. */
export const settingsSchema = z
  .object({
    brand: filled("Brand", LONGEST.brand),
    tagline: filled("Tagline", LONGEST.tagline),
    accent: z
      .string({ error: ACCENT })
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, ACCENT),
    /** Another one is uploaded. */
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
    faq: z
      .array(
        z.preprocess((row) => (isEmptyRow(row) ? undefined : row), questionSchema.optional()),
        { error: "Please send the questions as a list" },
      )
      .max(MOST_QUESTIONS, `Please enter at most ${MOST_QUESTIONS} questions`)
      .transform((rows) => rows.filter((row) => row !== undefined)),
  })
  .partial()
  .extend({ version: versionSchema });

export type SettingsChange = z.output<typeof settingsSchema>;
