/** Input against its schema. */
import type { z } from "zod";
import { type FieldErrors, invalid, type Outcome, success } from "./outcome.ts";

export function check<T extends z.ZodType>(schema: T, input: unknown): Outcome<z.output<T>> {
  const parsed = schema.safeParse(input);
  return parsed.success ? success(parsed.data) : invalid(fieldErrors(parsed.error));
}

/** Messages by field, in the order of the schema. */
function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? "body");
    errors[field] ??= [];
    errors[field].push(
      issue.path.length === 0 ? "Please send an object with fields." : issue.message,
    );
  }
  return errors;
}
