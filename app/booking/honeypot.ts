/**
 * A field that people neither see nor reach, and that programs which fill every field fill. Whoever
 * fills it all the same is told to load the page anew, which empties it.
 */
import { type Failure, failure } from "#app/model/outcome.ts";

export const HONEYPOT_FIELD = "website";

const RETRY_AFTER_SECONDS = 60;

/** Refusal (`rate_limited`) unless the field is absent or empty. */
export function refuseHoneypot(value: unknown): Failure | null {
  if (value === undefined || value === null || value === "") return null;
  return failure(
    "rate_limited",
    "We could not take this booking just now. Please load the page anew and try again in a minute.",
    { retryAfter: RETRY_AFTER_SECONDS },
  );
}
