/**
 * A field that people neither see nor reach, and that bots fill. Whoever fills it anyway is asked
 * to reload the page, which empties it.
 */
import { Honeypot, SpamError } from "remix-utils/honeypot/server";
import { type Failure, failure } from "#app/model/outcome.ts";
import { HONEYPOT_FIELD } from "./honeypot-field.ts";

/** Without the library's timestamp field, so that the cached page is the same for everybody. */
const honeypot = new Honeypot({ nameFieldName: HONEYPOT_FIELD, validFromFieldName: null });

const RETRY_AFTER_SECONDS = 60;

/** Refusal (`rate_limited`) unless the field is absent or empty. */
export async function refuseHoneypot(form: FormData): Promise<Failure | null> {
  try {
    await honeypot.check(form);
    return null;
  } catch (error) {
    if (!(error instanceof SpamError)) throw error;
    return failure(
      "rate_limited",
      "We could not take this booking just now. Please load the page again and try in a minute.",
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  }
}
