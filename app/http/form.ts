/**
 * Forms as every page reads them: urlencoded, text alone. What a browser may send instead is
 * turned into that here, once, so that no page meets a body it cannot read. Files are not taken.
 */
import { type Failure, failure, type Outcome, success } from "#app/lib/outcome.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

const READABLE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

const NO_FORM: Failure = failure(
  "unsupported_media_type",
  "This is not a form that we can read. Please use the form on our page.",
);
const BROKEN_FORM: Failure = failure(
  "validation_failed",
  "The form did not arrive whole. Please go back and send it again.",
);

/** True for a write to a page; calls and webhooks read their bodies themselves. */
export function isFormPost(method: string, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS";
  return !isRead && !/^\/(api|webhooks)(\/|$)/.test(path);
}

/** The form as urlencoded bytes. Refusals: `unsupported_media_type`, `validation_failed`. */
export async function readForm(
  contentType: string | undefined,
  body: Buffer,
): Promise<Outcome<Buffer>> {
  if (body.length === 0) return success(body);
  if (!contentType || !READABLE.test(contentType)) return NO_FORM;
  const headers = { "Content-Type": contentType };
  try {
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const fields = [...form].filter((field): field is [string, string] => {
      return typeof field[1] === "string";
    });
    return success(Buffer.from(new URLSearchParams(fields).toString()));
  } catch {
    return BROKEN_FORM;
  }
}
