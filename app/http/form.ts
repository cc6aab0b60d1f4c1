/**
 * Turns every posted form into what pages read, or refuses it: urlencoded text fields with names that
 * no parser takes for a path into a list or object. Which fields a form has is up to its schema. A
 * form that is only a file reaches its page as the file's bytes.
 */
import { WEEKDAYS } from "#app/model/day-plan.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { PICTURE_FORM } from "./body.ts";
import { isPage } from "./path.ts";

/** `provider`: sent by or to the payment provider, with its field names. */
export type FormKind = "page" | "provider" | "file";

/** Keeping a session in blocked time sends one field per blocked time. */
const MOST_FIELDS = 1_010;
const MOST_PROVIDER_FIELDS = 100;

/** The names that may come more than once. */
const LISTS: ReadonlySet<string> = new Set([
  "bookings",
  "cause",
  "linkLabel",
  "linkUrl",
  "timeSlots",
  "timeSlotsToBlock",
  "weekday",
  "copyTo",
  ...WEEKDAYS,
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
const UNEXPECTED: Failure = failure(
  "validation_failed",
  "This form is not the one on our page. Please load the page again and send it from there.",
);

/** True for a write to a page; API calls and webhooks read their bodies themselves. */
export function isFormPost(method: string, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS";
  return !isRead && isPage(path);
}

export function formKind(path: string): FormKind {
  if (/^\/(payments\/callback|booking\/[^/]+\/pay)$/.test(path)) return "provider";
  return PICTURE_FORM.test(path) ? "file" : "page";
}

/** The form, urlencoded, or its file. Refusals: `unsupported_media_type`, `validation_failed`. */
export async function readForm(
  contentType: string | undefined,
  body: Buffer,
  kind: FormKind,
): Promise<Outcome<Buffer>> {
  if (body.length === 0) return success(body);
  const type = READABLE.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (!contentType || !type) return NO_FORM;
  if (kind === "file") return readFile(contentType, type, body);
  const most = kind === "provider" ? MOST_PROVIDER_FIELDS : MOST_FIELDS;
  try {
    const text = type === FORM_TYPE ? body.toString() : null;
    if (text && text.split("&", most + 1).length > most) return UNEXPECTED;
    const form =
      text === null ? await readMultipart(contentType, body, most) : new URLSearchParams(text);
    const fields = [...form];
    if (fields.length > most || (kind === "page" && !areExpected(fields))) return UNEXPECTED;
    const texts = fields.filter((field): field is [string, string] => typeof field[1] === "string");
    return success(Buffer.from(new URLSearchParams(texts).toString()));
  } catch {
    return BROKEN_FORM;
  }
}

/** Empty if no file was chosen, or the form cannot carry one. */
async function readFile(contentType: string, type: string, body: Buffer): Promise<Outcome<Buffer>> {
  if (type === FORM_TYPE) return success(Buffer.alloc(0));
  try {
    const [file, ...more] = [...(await readMultipart(contentType, body, 1)).values()];
    if (!(file instanceof File) || more.length > 0) return UNEXPECTED;
    return success(Buffer.from(await file.arrayBuffer()));
  } catch {
    return BROKEN_FORM;
  }
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;\s"]+))/i;
/** Bytes of a part's headers: a file's name has at most 255 characters, nine bytes each. */
const LONGEST_HEAD = 4 * 1024;

/**
 * Parts are counted before they are parsed, because the parser takes half a second for a megabyte of
 * them. Throws for more than `most`, or for headers that no form of ours has.
 */
async function readMultipart(contentType: string, body: Buffer, most: number): Promise<FormData> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (!/^[\w'()+,./:=?-]{1,70}$/.test(boundary)) throw new Error("no boundary");
  const line = `--${boundary}`;
  let lines = 0;
  for (let at = body.indexOf(line); at !== -1; at = body.indexOf(line, at + line.length)) {
    lines += 1;
    const isEnd = body.toString("latin1", at + line.length, at + line.length + 2) === "--";
    const hasHead = isEnd || body.subarray(at, at + LONGEST_HEAD).includes("\r\n\r\n");
    // One line more ends the last part.
    if (lines > most + 1 || !hasHead) throw new Error("no form of ours");
  }
  const headers = { "Content-Type": `multipart/form-data; boundary="${boundary}"` };
  return new Response(new Uint8Array(body), { headers }).formData();
}

/** True if each name is of letters, is none that every object has, and repeats only if in `LISTS`. */
export function areExpected(fields: readonly [string, unknown][]): boolean {
  if (fields.length > MOST_FIELDS) return false;
  const seen = new Set<string>();
  return fields.every(([name]) => {
    const isNew = !seen.has(name) || LISTS.has(name);
    seen.add(name);
    return isNew && /^[a-z]{1,40}$/i.test(name) && !Object.hasOwn(Object.prototype, name);
  });
}
