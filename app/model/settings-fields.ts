/**
 * What the owner may set, under the names of the contract. Until one is saved it follows its variable.
 */
import { z } from "zod";
import { rowsSchemaOf, versionSchema } from "./fields.ts";
import { ASK_STATE, LONGEST, MOST_QUESTIONS, type Rule, SETTINGS } from "./settings.ts";
import { emailSchema, lineSchemaOf, textSchemaOf } from "./text.ts";

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

function number(what: string, most = LARGEST) {
  const error = `Please enter ${what} as a number`;
  return z.preprocess(
    (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
    z.number({ error }).max(most, `Please enter ${what} as a number up to 1,000,000`),
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

export const UPLOAD_LOGO = "Please upload the logo, or send null to remove it";

const NO_LIST = "Please send the questions as a list";
const TOO_MANY = `Please enter at most ${MOST_QUESTIONS} questions`;

const schema = z.object({
  brand: filled(SETTINGS.brand),
  tagline: filled(SETTINGS.tagline),
  accent: z
    .string({ error: ACCENT })
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, ACCENT),
  /** Null removes it; a new one is uploaded separately, and the operation refuses its id. */
  logo: z.string({ error: UPLOAD_LOGO }).nullable(),
  businessName: filled(SETTINGS.businessName),
  businessAddress: filled(SETTINGS.businessAddress),
  /** GST state code. */
  businessState: filled(SETTINGS.businessState),
  /** None only where documents are samples. */
  businessGstin: orNone(line(SETTINGS.businessGstin, "Please enter the GSTIN").toUpperCase()),
  /** CIN of a company or LLPIN of a partnership. */
  businessCin: orNone(line(SETTINGS.businessCin, "Please enter the CIN").toUpperCase()),
  businessSac: filled(SETTINGS.businessSac),
  businessEmail: emailSchema,
  /** None only beside sample documents: a made-up number would be called. */
  businessPhone: orNone(line(SETTINGS.businessPhone, "Please enter the phone number")),
  grievanceContact: filled(SETTINGS.grievanceContact),
  minNoticeMinutes: number("the shortest notice"),
  /** Its variable has a lower limit of its own. */
  bookingWindowDays: number("how far ahead people book", Number.POSITIVE_INFINITY),
  paymentWindowSeconds: number("the time to start paying"),
  holdSeconds: number("the time that is held"),
  selfServiceCutoffHours: number("the hours of the last change"),
  retentionUnpaidDays: number("the days that unpaid bookings are kept"),
  /** Whether the page's form demands the customer's state; calls may leave it out. */
  askState: z.enum(ASK_STATE, { error: "Please choose whether the state is asked for" }),
  faq: z.array(questionSchema, { error: NO_LIST }).max(MOST_QUESTIONS, TOO_MANY),
});

export type Question = z.output<typeof questionSchema>;

/** The logo is the id of a stored picture; null: the mark of the software. */
export type Settings = z.output<typeof schema>;

export type SavedSettings = Partial<Settings>;

/** Without the questions, whose answers follow the others until they are saved. */
export type FixedSettings = Omit<Settings, "faq">;

/** Fields left out stay. Checks shapes only; the operation applies the rules of the variables. */
export const settingsSchema = schema.partial().extend({ version: versionSchema });

/** As the form sends them, whose rows may be empty. */
export const settingsFormSchema = settingsSchema.extend({
  faq: rowsSchemaOf(questionSchema, NO_LIST, MOST_QUESTIONS, TOO_MANY).optional(),
});

export type SettingsChange = z.output<typeof settingsSchema>;
