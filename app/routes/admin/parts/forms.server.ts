/** What the admin's actions share: reading a form, refusing it, and going on with a notice. */
import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "react-router";
import type { z } from "zod";
import { cookieOf } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { newId } from "#app/model/ids.ts";
import {
  type Failure,
  type FieldErrors,
  invalid,
  type Outcome,
  STATUS_OF_CODE,
} from "#app/model/outcome.ts";
import type { Typed } from "./form-data.ts";
import type { Flash } from "./notice.tsx";

export { actorOf } from "#app/auth/require-admin.server.ts";

/**
 * Reads a form by its schema and does what it asks for. Texts stay as they were typed, also empty
 * ones; with `lists` a single ticked box is a list too. A failure can refuse the form under a title,
 * with what the page is to show instead of stale data.
 */
export async function carryOut<Schema extends z.ZodType, T>(
  form: FormData,
  schema: Schema,
  run: (input: z.output<Schema>) => Outcome<T> | Promise<Outcome<T>>,
  lists = false,
) {
  const submission = parseWithZod(form, { schema, disableAutoCoercion: !lists });
  const outcome =
    submission.status === "success"
      ? await run(submission.value)
      : invalid((submission.error ?? {}) as FieldErrors);
  if (outcome.ok) return outcome;
  const { code, message, errors } = outcome;
  const refuse = <More extends object>(title: string, more: More) => {
    const reply = submission.reply({
      hideFields: SECRETS,
      ...(errors ? { fieldErrors: errors } : {}),
    });
    return data(
      { refusal: { title, message }, reply, ...more },
      { status: STATUS_OF_CODE[code], headers: retryHeaders(outcome) },
    );
  };
  return { ...outcome, refuse };
}

/** Never sent back to the page; `url` is that of a captain's own calendar. */
const SECRETS = ["currentPassword", "newPassword", "confirmPassword", "totp", "otp", "url"];

/** What was typed, by the names of the form: the last one of each name. */
export function typedOf(form: FormData): Typed {
  const fields = [...form].filter(([name]) => !SECRETS.includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}

/** Where there is no form to show what was refused. */
export function refusePage(refusal: Failure | null): void {
  if (refusal) throw new Response(refusal.message, { status: STATUS_OF_CODE[refusal.code] });
}

export function retryHeaders({ retryAfter }: Failure): Record<string, string> {
  return retryAfter ? { "Retry-After": String(Math.ceil(retryAfter)) } : {};
}

export interface GivenNotice {
  title: string;
  description?: string;
  variant?: Flash["variant"];
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** 303 to a page that says what was done. */
export async function goOn(
  deps: Pick<Deps, "env">,
  to: string,
  notice: GivenNotice,
  headers: HeaderList = [],
): Promise<Response> {
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  all.append("Set-Cookie", await flashHeader(deps, notice));
  return redirect(to, { status: 303, headers: all });
}

/** For the whole site: scripts ask for `/admin.data`. */
const cookie = cookieOf<Flash>("admin_notice", { maxAgeSeconds: 60, key: "notice" });

export function flashHeader({ env }: Pick<Deps, "env">, flash: GivenNotice): Promise<string> {
  const { title, description = "", variant = "default" } = flash;
  return cookie.header(env, { id: newId(8), title, description, variant });
}

export function readFlash({ env }: Pick<Deps, "env">, request: Request): Promise<Flash | null> {
  return cookie.read(env, request.headers.get("cookie"));
}

export function clearFlash({ env }: Pick<Deps, "env">): Promise<string> {
  return cookie.header(env, null);
}
