/**
 * Forms as every page reads them: urlencoded, text alone, with the names of that page's form. What
 * a browser may send instead is turned into that here, once, so that no page meets a body it cannot
 * read, nor a name that its parser would take for a place in a list or an object. A file is taken
 * where the form is nothing else, and reaches its page as its bytes.
 */
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";

/** How often each name may stand in a form. */
export type FieldNames = ReadonlyMap<string, number>;

/**
 * By the pattern of the form's path. `theirs`: another's names, which the route reads one by one;
 * `file`: one file, of any name.
 */
export type FormNames = Readonly<Record<string, FieldNames | "theirs" | "file">>;

export const FORM_TYPE = "application/x-www-form-urlencoded";
export const FILE_TYPE = "application/octet-stream";

const READABLE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** What the payment provider sends back has a dozen. */
const MOST_OF_THEIRS = 100;

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

/** The names of the form at each path (as `canonicalPath` spells it); null where there is none. */
export function namesByPath(forms: FormNames): (path: string) => FormNames[string] | null {
  const all = Object.entries(forms).map(([pattern, names]) => ({
    path: new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`),
    names,
  }));
  return (asked) => all.find(({ path }) => path.test(asked))?.names ?? null;
}

/**
 * The form as urlencoded bytes, or its file's; empty where the page has no form, whose answer is
 * then the page's own. Refusals: `unsupported_media_type`, `validation_failed`.
 */
export async function readForm(
  contentType: string | undefined,
  body: Buffer,
  names: FormNames[string] | null,
): Promise<Outcome<Buffer>> {
  if (body.length === 0) return success(body);
  const type = READABLE.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (!contentType || !type) return NO_FORM;
  if (names === null) return success(Buffer.alloc(0));
  if (names === "file") return readFile(contentType, type, body);
  const most = names === "theirs" ? MOST_OF_THEIRS : countOf(names);
  try {
    const text = type === FORM_TYPE ? body.toString() : null;
    if (text && text.split("&", most + 1).length > most) return NOT_OURS;
    const form = text === null ? await readMultipart(contentType, body) : new URLSearchParams(text);
    const fields = [...form];
    if (fields.length > most || (names !== "theirs" && !areOurs(fields, names))) return NOT_OURS;
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

function countOf(names: FieldNames): number {
  return [...names.values()].reduce((sum, count) => sum + count, 0);
}

function areOurs(fields: readonly [string, unknown][], names: FieldNames): boolean {
  const left = new Map(names);
  return fields.every(([name]) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count > 0;
  });
}
