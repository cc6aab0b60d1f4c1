/**
 * Schemas of the forms and calls that change the catalogue. Fields left out stay. A form's texts
 * are read by the same schemas: an empty number is null, a list has one entry per line.
 */
import { z } from "zod";
import { QUESTION_KINDS } from "#app/model/catalogue.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { rowsSchemaOf, versionSchema } from "#app/model/fields.ts";
import { CODE } from "#app/model/room.ts";
import { emailSchema, lineSchemaOf, nameSchema, textSchemaOf } from "#app/model/text.ts";

function line(what: string, most: number, error: string) {
  return lineSchemaOf(what, most, error).min(1, error);
}

/** An empty text is null. */
function numberOrNone(most: number, error: string, schema = z.number({ error }).int(error)) {
  return z.preprocess(numberOf, schema.min(0, error).max(most, error).nullable());
}

function numberOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.trim() === "" ? null : Number(value);
}

const flag = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean({ error: "Please send true or false" }),
);

function httpsUrl(error: string) {
  return z
    .string({ error })
    .trim()
    .max(500, error)
    .pipe(z.url({ protocol: /^https$/, error }));
}

const LINK = "Please enter the meeting link, beginning with https://";
const MEETING = "Please choose how the session takes place";
const POSITION = "Please send a whole number";
const RATING = "Please enter a rating from 0 to 5, with one decimal";

const meetingSchema = z.discriminatedUnion(
  "kind",
  [
    z.object({
      kind: z.literal("link"),
      url: httpsUrl(LINK),
    }),
    z.object({ kind: z.literal("call") }),
  ],
  { error: MEETING },
);

/** One entry per line. */
function linesOf(value: unknown): unknown {
  return typeof value === "string" ? value.split("\n").filter((one) => one.trim()) : value;
}

/** A form sends a ticked checkbox as `on`. */
function ticked(value: unknown): unknown {
  return value === "on" ? true : value;
}

/** A list; a form sends one entry per line. */
function lines(one: string, several: string, most: number) {
  return z.preprocess(
    linesOf,
    z
      .array(line(`A ${one}`, 60, `Please enter each ${one} as text`), {
        error: `Please enter the ${several}, one a line`,
      })
      .max(most, `Please enter at most ${most} ${several}`),
  );
}

const FALLBACK = "Please enter the link for when Zoom makes none, beginning with https://";
const PATTERN = `Please enter an address that begins with https:// and has ${CODE} once, after the server’s name`;

/** The code occurs once, after the server's name. Characters that a URL silently drops are refused. */
function isPattern(address: string): boolean {
  const sample = "codeofaroom";
  const url = URL.parse(address.replace(CODE, sample));
  const behind = url ? url.pathname + url.search + url.hash : "";
  const isPlain = !/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(address);
  const isOnce = address.split(CODE).length === 2;
  return isPlain && isOnce && url?.protocol === "https:" && behind.includes(sample);
}

const roomSchema = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("link"), address: httpsUrl(LINK) }),
    z.object({
      kind: z.literal("pattern"),
      address: z.string({ error: PATTERN }).trim().max(500, PATTERN).refine(isPattern, PATTERN),
    }),
    z.object({ kind: z.literal("zoom"), address: httpsUrl(FALLBACK) }),
    z.object({ kind: z.literal("phone") }),
  ],
  { error: MEETING },
);

const counselorFields = z.object({
  name: nameSchema,
  title: line("Title", 100, "Please enter a title, for example Airline captain"),
  description: textSchemaOf("description", 600).optional(),
  yearsOfExperience: numberOrNone(80, "Please enter whole years, from 0 to 80").optional(),
  rating: numberOrNone(5, RATING, z.number({ error: RATING }).multipleOf(0.1, RATING)).optional(),
  sessions: numberOrNone(1_000_000, "Please enter a whole number of sessions").optional(),
  specialties: lines("specialty", "specialties", 8).optional(),
  languages: lines("language", "languages", 6).optional(),
  email: emailSchema,
  /** The same as a room of kind `link` or `phone`; ignored if `room` is sent. */
  meeting: meetingSchema.optional(),
  room: roomSchema.optional(),
  /** Null removes it; a new one is uploaded separately. */
  portrait: z.string().nullable().optional(),
  active: flag.optional(),
  sample: flag.optional(),
  /** Place in the order of the page, from 0. */
  position: z.preprocess(numberOf, z.number({ error: POSITION }).int(POSITION)).optional(),
});

/** Requires `meeting` or `room`, and says so together with errors of the other fields. */
export const counselorSchema = counselorFields.superRefine(
  (input: { meeting?: unknown; room?: unknown }, context) => {
    if (input.meeting !== undefined || input.room !== undefined) return;
    context.addIssue({ code: "custom", path: ["meeting"], message: MEETING });
  },
  { when: ({ value }) => value instanceof Object },
);

export type NewCounselor = z.output<typeof counselorSchema>;

export const changeCounselorSchema = counselorFields.partial().extend({ version: versionSchema });

export type CounselorChange = z.output<typeof changeCounselorSchema>;

const PRICE = "Please enter a price in whole rupees, from 1 to 40,000";

const MOST_QUESTIONS = 8;
const MOST_CHOICES = 10;

const CHOICES = "Please enter two to ten choices that differ, one a line";

const questionSchema = z
  .object(
    {
      id: z
        .string()
        .regex(/^[a-z0-9-]{1,40}$/, "Please send a question’s id as it was, or none")
        .optional(),
      label: line("A question", 200, "Please enter the words of each question"),
      hint: lineSchemaOf("A hint", 200, "Please enter each hint as text").default(""),
      kind: z.enum(QUESTION_KINDS, { error: "Please choose how each question is answered" }),
      choices: z
        .preprocess(linesOf, z.array(line("A choice", 80, CHOICES), { error: CHOICES }))
        .default([]),
      required: z
        .preprocess(ticked, z.boolean({ error: "Please send true or false" }))
        .default(false),
    },
    { error: "Please send each question as an object" },
  )
  .transform((question) => (question.kind === "choice" ? question : { ...question, choices: [] }))
  .refine(
    ({ kind, choices }) =>
      kind !== "choice" ||
      (choices.length >= 2 &&
        choices.length <= MOST_CHOICES &&
        new Set(choices).size === choices.length),
    { path: ["choices"], message: CHOICES },
  );

const QUESTIONS = "Please send the questions as a list";
const TOO_MANY_QUESTIONS = `Please ask at most ${MOST_QUESTIONS} questions`;
const SAME_IDS = "Please give each question an id of its own, or none";

function haveOwnIds(rows: readonly { id?: string | undefined }[]): boolean {
  const ids = rows.flatMap(({ id }) => id ?? []);
  return new Set(ids).size === ids.length;
}

export const packageSchema = z
  .object({
    price: z.preprocess(
      numberOf,
      z.number({ error: PRICE }).int(PRICE).min(1, PRICE).max(40_000, PRICE),
    ),
    label: line("Label", 60, "Please enter a label"),
    description: textSchemaOf("description", 200),
    active: flag,
    questions: z
      .array(questionSchema, { error: QUESTIONS })
      .max(MOST_QUESTIONS, TOO_MANY_QUESTIONS)
      .refine(haveOwnIds, SAME_IDS),
  })
  .partial()
  .extend({ version: versionSchema });

/** As the form sends them, whose rows may be empty; without rows it removes all questions. */
export const questionsFormSchema = z.object({
  questions: rowsSchemaOf(questionSchema, QUESTIONS, MOST_QUESTIONS, TOO_MANY_QUESTIONS)
    .refine(haveOwnIds, SAME_IDS)
    .default([]),
  version: versionSchema,
});

export type PackageChange = z.output<typeof packageSchema>;

const NOT_ON_LIST = "Please select time slots from the list";

/** At least `fewest` times of the master list, each once, ascending; else `missing` is said. */
export function timesSchemaOf(fewest: number, missing: string) {
  return z
    .array(
      z.string({ error: missing }).refine((time) => MASTER_TIMES.includes(time), NOT_ON_LIST),
      { error: missing },
    )
    .min(fewest, missing)
    .max(100, NOT_ON_LIST)
    .transform((times) => [...new Set(times)].sort());
}

export const timeSlotsSchema = timesSchemaOf(1, "At least one time slot must be selected");

export const defaultTimesSchema = z.object({ timeSlots: timeSlotsSchema, version: versionSchema });

export const MOST_LINKS = 6;

const linkSchema = z.object({
  label: line("A link’s words", 60, "Please enter the words of each link"),
  url: httpsUrl("Please enter each link’s address, beginning with https://"),
});

const LINKS = "Please send the links as a list";
const TOO_MANY_LINKS = `Please enter at most ${MOST_LINKS} links`;

export const linksSchema = z.object({
  links: z.array(linkSchema, { error: LINKS }).max(MOST_LINKS, TOO_MANY_LINKS),
  version: versionSchema,
});

/** As the form sends them, whose rows may be empty. */
export const linksFormSchema = linksSchema.extend({
  links: rowsSchemaOf(linkSchema, LINKS, MOST_LINKS, TOO_MANY_LINKS),
});
