/**
 * Forms as every page reads them: urlencoded, text alone, and no name that a parser would take for a
 * place in a list or an object. What a browser may send instead is turned into that here, once, or
 * refused. Which names a form has is said by its schema. A file is taken where the form is nothing
 * else, and reaches its page as its bytes.
 */
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { WEEKDAYS } from "#app/model/week.ts";
import { PORTRAIT_FORM } from "./body.ts";

/** `theirs`: what the payment provider sends back or is sent; its names are its own. */
export type FormKind = "ours" | "theirs" | "file";

/** A session that is kept in blocked time names each time that is in its way. */
const MOST_FIELDS = 1_010;
const MOST_OF_THEIRS = 100;

/** The names that may come more than once. */
const LISTS: ReadonlySet<string> = new Set([
  ...["bookings", "cause", "linkLabel", "linkUrl"],
  ...["timeSlots", "timeSlotsToBlock", "weekday", "copyTo", ...WEEKDAYS],
]);

export const FORM_TYPE = "application/x-www-form-urlencoded";
export const FILE_TYPE = "application/octet-stream";

const READABLE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

const NO_FORM: Failure = failure(
  "unsupported_media_type",
  "We cannot read this form. Please use the form on our page.",
);
const BROKEN_FORM: Failure = failure(
  "validation_failed",
  "The form did not arrive whole. Please go back and send it again.",
);
const NOT_OURS: Failure = failure(
  "validation_failed",
  "This form is not the one on our page. Please load the page again and send it from there.",
);

/** True for a write to a page; calls and webhooks read their bodies themselves. */
export function isFormPost(method: string, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS";
  return !isRead && !/^\/(api|webhooks)(\/|$)/.test(path);
}

export function formKind(path: string): FormKind {
  if (/^\/(payments\/callback|booking\/[^/]+\/pay)$/.test(path)) return "theirs";
  return PORTRAIT_FORM.test(path) ? "file" : "ours";
}

/** The form as urlencoded bytes, or its file's. Refusals: `unsupported_media_type`, `validation_failed`. */
export async function readForm(
  contentType: string | undefined,
  body: Buffer,
  kind: FormKind,
): Promise<Outcome<Buffer>> {
  if (body.length === 0) return success(body);
  const type = READABLE.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (!contentType || !type) return NO_FORM;
  if (kind === "file") return readFile(contentType, type, body);
  const most = kind === "theirs" ? MOST_OF_THEIRS : MOST_FIELDS;
  try {
    const text = type === FORM_TYPE ? body.toString() : null;
    if (text && text.split("&", most + 1).length > most) return NOT_OURS;
    const form = text === null ? await readMultipart(contentType, body) : new URLSearchParams(text);
    const fields = [...form];
    if (fields.length > most || (kind === "ours" && !areOurs(fields))) return NOT_OURS;
    const texts = fields.filter((field): field is [string, string] => typeof field[1] === "string");
    return success(Buffer.from(new URLSearchParams(texts).toString()));
  } catch {
    return BROKEN_FORM;
  }
}

/** Empty where none was chosen, or can be. */
async function readFile(contentType: string, type: string, body: Buffer): Promise<Outcome<Buffer>> {
  if (type === FORM_TYPE) return success(Buffer.alloc(0));
  try {
    const [file, ...more] = [...(await readMultipart(contentType, body)).values()];
    if (!(file instanceof File) || more.length > 0) return NOT_OURS;
    return success(Buffer.from(await file.arrayBuffer()));
  } catch {
    return BROKEN_FORM;
  }
}

function readMultipart(contentType: string, body: Buffer): Promise<FormData> {
  const headers = { "Content-Type": contentType };
  return new Response(new Uint8Array(body), { headers }).formData();
}

/** Letters alone, none that every object has, each once unless it is a list. */
export function areOurs(fields: readonly [string, unknown][]): boolean {
  if (fields.length > MOST_FIELDS) return false;
  const seen = new Set<string>();
  return fields.every(([name]) => {
    const isNew = !seen.has(name) || LISTS.has(name);
    seen.add(name);
    return isNew && /^[a-z]{1,40}$/i.test(name) && !Object.hasOwn(Object.prototype, name);
  });
}
