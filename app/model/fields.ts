/** Input against its schema, and the fields that many forms and calls have. */
import { z } from "zod";
import { type FieldErrors, invalid, type Outcome, success } from "./outcome.ts";
import { counselorSchema, dateSchemaOf } from "./text.ts";

export function check<T extends z.ZodType>(schema: T, input: unknown): Outcome<z.output<T>> {
  const parsed = schema.safeParse(input);
  return parsed.success ? success(parsed.data) : invalid(fieldErrors(parsed.error));
}

/** Messages by field, in the schema's order, each once. */
function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? "body");
    const says = issue.path.length === 0 ? "Please send an object with fields." : issue.message;
    errors[field] ??= [];
    if (!errors[field].includes(says)) errors[field].push(says);
  }
  return errors;
}

const VERSION = "Please send the version as a number";

/** The row's version when the form was made, `least` or more; absent: any. */
export function versionSchemaOf(least: 0 | 1) {
  const version = z.number({ error: VERSION }).int(VERSION).min(least, VERSION);
  const typed = (value: unknown) => (typeof value === "string" ? Number(value) : value);
  return z.preprocess(typed, version).optional();
}

export const versionSchema = versionSchemaOf(1);

/** Empty query values count as absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
}

/** A list of a form. Empty rows are left out; in errors the others keep their index. */
export function rowsSchemaOf<T extends z.ZodType>(
  row: T,
  error: string,
  most: number,
  tooMany: string,
) {
  return z
    .array(
      z.preprocess((value) => (isEmptyRow(value) ? undefined : value), row.optional()),
      { error },
    )
    .max(most, tooMany)
    .transform((rows) => rows.filter((one) => one !== undefined));
}

function isEmptyRow(row: unknown): boolean {
  return row instanceof Object && !Object.values(row).some((text) => String(text ?? "").trim());
}

/** The first and last date that a call asks for, of one captain or of all. */
export function rangeSchemaOf() {
  const date = dateSchemaOf("Date is required", { abort: true });
  return z
    .object({ from: date, to: date, counselor: optional(counselorSchema) })
    .refine(({ from, to }) => from <= to, {
      path: ["to"],
      message: "Please end the range on or after its start",
    });
}
